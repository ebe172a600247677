package io.tidemill.cycle.one;

import io.tidemill.cycle.two.Two;

/// Makes a cycle of packages together with [Two].
public record One(Two two) {}
