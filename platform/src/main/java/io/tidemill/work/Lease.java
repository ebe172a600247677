package io.tidemill.work;

/// The right to settle one delivery, and the fence around it: who holds an older one can't write.
///
/// The broker's own books are the truth. A lease is good as long as the pending entry still names
/// this consumer and this attempt.
///
/// @param attempt how often the entry has been delivered, this time included
public record Lease(String stream, String group, String consumer, String entry, int attempt) {}
