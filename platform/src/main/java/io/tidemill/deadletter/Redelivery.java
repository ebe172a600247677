package io.tidemill.deadletter;

import io.tidemill.http.Response;

/// How one letter goes back where it came from, for somebody who may die on the way and whose
/// successor must not send it again.
public interface Redelivery {
  /// What is to be remembered before it goes, for [#hasGone].
  default String mark() {
    return "";
  }

  /// Sends it; a refusal is an answer, too.
  ///
  /// @param key the same for the same letter in the same undertaking, whoever carries it out
  Response go(String key);

  /// Whether it went, asked by the successor of somebody who was about to send it. Where a repeated
  /// [#go] with the same key changes nothing this need not be known.
  ///
  /// @param mark what was remembered
  default boolean hasGone(String mark) {
    return false;
  }
}
