package io.tidemill.processor.mail;

import java.util.List;

/// What became of a mail that the server took.
///
/// @param messageId with its angle brackets
/// @param recipients how many addresses it went to
record MailReceipt(String messageId, int recipients, List<Refused> refused) {
  /// An address that the server did not take, and what it said.
  record Refused(String address, String reason) {}

  MailReceipt {
    refused = List.copyOf(refused);
  }
}
