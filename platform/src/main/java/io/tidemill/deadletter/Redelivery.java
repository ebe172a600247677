package io.tidemill.deadletter;

/// The delivery of one dead letter back to where it came from, by a process that may die meanwhile
/// and whose successor must not send it again.
public interface Redelivery {
  /// What is to be stored before [#send], for [#alreadySent].
  default String checkpoint() {
    return "";
  }

  /// Sends it.
  ///
  /// @param key the same for the same dead letter in the same redrive, whoever sends it
  RedriveResult send(String key);

  /// Whether it was sent, asked by the successor of a process that was about to. Where a repeated
  /// [#send] with the same key changes nothing this need not be known.
  ///
  /// @param checkpoint what was stored
  default boolean alreadySent(String checkpoint) {
    return false;
  }
}
