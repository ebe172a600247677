package io.tidemill.processor.mail;

import io.tidemill.api.TaskCall;
import io.tidemill.api.TaskType;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import tools.jackson.databind.node.ObjectNode;

/// Sends a mail (C2.9): `email_notification`. A repeated attempt has the same Message-ID and date,
/// so that a second copy can be told from a second mail (F15).
public final class EmailTask implements TaskType {
  private final MailSender mailer;
  private final MailReader letters;

  public EmailTask(MailSender mailer, MailTemplates templates) {
    this.mailer = mailer;
    this.letters = new MailReader(templates);
  }

  @Override
  public String name() {
    return "email_notification";
  }

  @Override
  public ObjectNode run(TaskCall call) throws Exception {
    var letter = letters.read(call.id(), call.createdAt(), call.data(), Json.object());
    return Traces.part(
        SpanKind.MAIL,
        "send mail",
        () -> {
          Traces.note("recipients", letter.recipients().size());
          return MailReader.result(mailer.send(letter, call.retryCount()));
        });
  }
}
