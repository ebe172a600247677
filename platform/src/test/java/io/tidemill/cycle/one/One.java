package io.tidemill.cycle.one;

import io.tidemill.cycle.two.Two;

/// Breaks rule 6 together with [Two].
public record One(Two two) {}
