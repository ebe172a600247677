package io.tidemill.cycle.two;

import io.tidemill.cycle.one.One;

/// Breaks rule 6 together with [One].
public record Two(One one) {}
