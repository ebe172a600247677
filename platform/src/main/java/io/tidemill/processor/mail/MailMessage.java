package io.tidemill.processor.mail;

import io.tidemill.contract.workflow.Mailbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One mail, ready to go out.
///
/// @param id the same on every attempt: it becomes the Message-ID, by which receivers recognise a
///   duplicate (F15)
/// @param text for programs that show no HTML; empty when there is none
/// @param html empty when there is none
record MailMessage(
    String id,
    Instant date,
    List<Mailbox> to,
    List<Mailbox> cc,
    List<Mailbox> bcc,
    Optional<Mailbox> replyTo,
    String subject,
    String text,
    String html) {
  MailMessage {
    to = List.copyOf(to);
    cc = List.copyOf(cc);
    bcc = List.copyOf(bcc);
  }

  /// The distinct addresses of all recipients.
  List<String> recipients() {
    var all = new ArrayList<Mailbox>(to);
    all.addAll(cc);
    all.addAll(bcc);
    return all.stream().map(Mailbox::address).distinct().toList();
  }
}
