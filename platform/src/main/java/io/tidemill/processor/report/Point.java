package io.tidemill.processor.report;

/// One value of a chart and what it is the value of.
record Point(String label, double value) {}
