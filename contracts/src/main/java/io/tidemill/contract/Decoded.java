package io.tidemill.contract;

/// The result of decoding a message: total, for any bytes.
///
/// @param <T> the message's type
public sealed interface Decoded<T> {
  /// The bytes are a message of this contract.
  record Message<T>(T message) implements Decoded<T> {}

  /// The bytes are not JSON, or not UTF-8.
  record Unreadable<T>(String why) implements Decoded<T> {}

  /// The bytes are JSON, but fields are missing or of the wrong type.
  record Malformed<T>(String why) implements Decoded<T> {}
}
