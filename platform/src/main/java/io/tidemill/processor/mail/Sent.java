package io.tidemill.processor.mail;

import java.util.List;

/// What became of a mail that the server took.
///
/// @param messageId with its angle brackets
/// @param recipients how many addresses it went to
record Sent(String messageId, int recipients, List<Refused> refused) {
  /// An address that the server did not take, and what it said.
  record Refused(String address, String reason) {}

  Sent {
    refused = List.copyOf(refused);
  }
}
