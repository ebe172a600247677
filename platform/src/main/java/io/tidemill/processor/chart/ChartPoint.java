package io.tidemill.processor.chart;

/// One value of a chart with its label.
public record ChartPoint(String label, double value) {}
