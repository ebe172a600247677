package io.tidemill.processor.mail;

import io.tidemill.api.TaskCall;
import io.tidemill.api.TaskType;
import io.tidemill.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Sends a mail (C2.9): `email_notification`. A repeated attempt has the same Message-ID and date,
/// so that receivers can recognise a duplicate (F15).
public final class EmailTask implements TaskType {
  private final MailSender mailer;
  private final MailReader mailReader;

  public EmailTask(MailSender mailer, MailTemplates templates) {
    this.mailer = mailer;
    this.mailReader = new MailReader(templates);
  }

  @Override
  public String name() {
    return "email_notification";
  }

  @Override
  public ObjectNode run(TaskCall call) throws Exception {
    var mail = mailReader.read(call.id(), call.createdAt(), call.data(), Json.object());
    return mailer.sendTraced(mail, call.retryCount());
  }
}
