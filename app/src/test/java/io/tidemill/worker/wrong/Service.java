package io.tidemill.worker.wrong;

/// Breaks the rule that no class name is used twice.
public record Service() {}
