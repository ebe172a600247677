package io.tidemill.processor.chart;

/// One value of a chart and what it is the value of.
public record ChartPoint(String label, double value) {}
