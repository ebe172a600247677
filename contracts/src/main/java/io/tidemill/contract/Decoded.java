package io.tidemill.contract;

/// What came out of decoding bytes from outside: every input has an answer.
///
/// @param <T> the message's type
public sealed interface Decoded<T> {
  /// The bytes are a message of this contract.
  record Message<T>(T message) implements Decoded<T> {}

  /// The bytes are not even JSON (or not UTF-8).
  record Unreadable<T>(String why) implements Decoded<T> {}

  /// The bytes are JSON, but fields are missing or of the wrong type.
  record Malformed<T>(String why) implements Decoded<T> {}
}
