package io.tidemill.worker.wrong;

/// Breaks the rule on names, by its own and by its method's.
public record Wish(String told) {}
