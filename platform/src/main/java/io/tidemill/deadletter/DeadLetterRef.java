package io.tidemill.deadletter;

/// Names one dead letter among those of all sources.
public record DeadLetterRef(String source, String id) {}
