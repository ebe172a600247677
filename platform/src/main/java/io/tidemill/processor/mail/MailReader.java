package io.tidemill.processor.mail;

import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.Mailbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Builds a mail from the data of a task or step; errors name the field.
final class MailReader {
  private static final int MOST_RECIPIENTS = 100;
  private static final int LONGEST_SUBJECT = 500;
  private static final int LONGEST_TEMPLATE = 4 * LONGEST_SUBJECT;
  private static final int LONGEST_BODY = 1 << 20;

  private static final String INVALID = "INVALID_DATA";

  private final MailTemplates templates;
  private final String code;

  MailReader(MailTemplates templates) {
    this(templates, INVALID);
  }

  /// @param code of errors, which differs between tasks and steps
  MailReader(MailTemplates templates, String code) {
    this.templates = templates;
    this.code = code;
  }

  /// @param id the same on every attempt
  /// @param known variables that the data may override
  MailMessage read(String id, Instant date, ObjectNode data, ObjectNode known)
      throws WorkFailure, InterruptedException {
    try {
      return mail(id, date, data, known);
    } catch (WorkFailure wrong) {
      throw coded(wrong);
    }
  }

  /// Refuses a mail without recipients; templates are checked when they are rendered.
  void check(ObjectNode data) throws WorkFailure {
    try {
      Recipients.of(data);
    } catch (WorkFailure wrong) {
      throw coded(wrong);
    }
  }

  private WorkFailure coded(WorkFailure wrong) {
    return wrong.code().equals(INVALID)
        ? WorkFailure.permanent(code, String.valueOf(wrong.getMessage()), wrong)
        : wrong;
  }

  private record Recipients(List<Mailbox> to, List<Mailbox> cc, List<Mailbox> bcc) {
    static Recipients of(ObjectNode data) throws WorkFailure {
      var to = new ArrayList<>(boxes(data, "recipient"));
      to.addAll(boxes(data, "to"));
      var all = new Recipients(to, boxes(data, "cc"), boxes(data, "bcc"));
      var count = to.size() + all.cc.size() + all.bcc.size();
      if (count == 0) throw invalid("recipient is missing");
      if (count > MOST_RECIPIENTS) {
        throw invalid("recipient has more than " + MOST_RECIPIENTS + " addresses");
      }
      return all;
    }
  }

  private MailMessage mail(String id, Instant date, ObjectNode data, ObjectNode known)
      throws WorkFailure, InterruptedException {
    var recipients = Recipients.of(data);
    var words = words(data, known);
    var replyTo = boxes(data, "replyTo");
    return new MailMessage(
        id,
        date,
        recipients.to(),
        recipients.cc(),
        recipients.bcc(),
        replyTo.isEmpty() ? Optional.empty() : Optional.of(replyTo.getFirst()),
        words.subject(),
        words.text(),
        words.html());
  }

  private static List<Mailbox> boxes(ObjectNode data, String field) throws WorkFailure {
    var given = data.get(field);
    if (given == null || given.isNull()) return List.of();
    var boxes = new ArrayList<Mailbox>();
    for (var one : given.isArray() ? given : List.of(given)) boxes.add(box(one, field));
    return boxes;
  }

  private static Mailbox box(JsonNode given, String field) throws WorkFailure {
    var text = given.isString() ? given.stringValue() : "";
    if (Mailbox.hasControls(text)) throw injected(field);
    return Mailbox.parse(text)
        .orElseThrow(
            () -> WorkFailure.permanent("INVALID_RECIPIENT", field + " " + Mailbox.EXPECTED));
  }

  private MailTemplates.Words words(ObjectNode data, ObjectNode known)
      throws WorkFailure, InterruptedException {
    var variables = variables(data, known);
    var text = body(data, "text");
    var html = body(data, "html");
    var template = string(data, "template");
    var words =
        template.isEmpty()
            ? new MailTemplates.Words(
                "", text.isEmpty() && !html.isEmpty() ? HtmlText.of(html) : text, html)
            : templates.render(template, variables);
    if (words.text().isEmpty() && words.html().isEmpty()) {
      throw invalid("template is missing: give one, or text, or html");
    }
    return new MailTemplates.Words(
        subject(data, words.subject(), variables), words.text(), words.html());
  }

  private static ObjectNode variables(ObjectNode data, ObjectNode known) throws WorkFailure {
    var given = data.get("variables");
    var all = known.deepCopy();
    // Templates may use the recipient and the subject.
    for (var field : List.of("recipient", "subject")) {
      var value = data.get(field);
      if (value != null && value.isString()) all.set(field, value);
    }
    if (given == null || given.isNull()) return all;
    if (!(given instanceof ObjectNode object)) throw invalid("variables must be an object");
    all.setAll(object);
    return all;
  }

  private static String subject(ObjectNode data, String fromTemplate, ObjectNode variables)
      throws WorkFailure, InterruptedException {
    var given = string(data, "subject");
    if (given.length() > LONGEST_TEMPLATE) {
      throw invalid("subject is longer than " + LONGEST_TEMPLATE + " characters");
    }
    if (Mailbox.hasControls(given)) throw injected("subject");
    var subject = given.isEmpty() ? fromTemplate : filled(given, variables);
    if (subject.isBlank()) throw invalid("subject is missing");
    // A variable of the template's subject line (F52).
    if (Mailbox.hasControls(subject)) throw injected("variables");
    if (subject.length() > LONGEST_SUBJECT) {
      throw invalid("subject is longer than " + LONGEST_SUBJECT + " characters");
    }
    return subject;
  }

  private static String filled(String subject, ObjectNode variables)
      throws WorkFailure, InterruptedException {
    if (!subject.contains("{{")) return subject;
    try {
      return MailTemplates.text(subject, variables);
    } catch (IllegalArgumentException wrong) {
      throw WorkFailure.permanent(INVALID, "subject: " + wrong.getMessage(), wrong);
    }
  }

  private static String body(ObjectNode data, String field) throws WorkFailure {
    var text = string(data, field);
    if (text.length() > LONGEST_BODY) throw invalid(field + " is longer than 1 MiB");
    return text;
  }

  private static String string(ObjectNode data, String field) throws WorkFailure {
    var given = data.get(field);
    if (given == null || given.isNull()) return "";
    if (!given.isString()) throw invalid(field + " must be a string");
    return given.stringValue();
  }

  private static WorkFailure injected(String field) {
    return invalid(field + " has a line break or another control character");
  }

  static WorkFailure invalid(String message) {
    return WorkFailure.permanent(INVALID, message);
  }
}
