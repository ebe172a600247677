package io.tidemill.cycle.two;

import io.tidemill.cycle.one.One;

/// Makes a cycle of packages together with [One].
public record Two(One one) {}
