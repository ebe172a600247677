package io.tidemill.processor.mail;

import io.tidemill.api.Records;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.fetch.Fetcher;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.processor.option.KnownFields;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Notifies of a workflow's progress (C2.8): `notify`, by mail, by a webhook, or both. Records pass
/// through unchanged.
public final class NotifyStep implements Step {
  /// Finds what a notice links to.
  public interface Links {
    /// @return `link`, the workflow's page, where its address is known; `files`, a list of `step`,
    ///   `name` and `url`
    ObjectNode of(String workflowId);
  }

  private static final KnownFields OPTIONS =
      new KnownFields("INVALID_OPTIONS", "notify: option", StepForms.NOTIFY.optionNames());
  private static final KnownFields EMAIL =
      new KnownFields(
          OPTIONS.code(),
          "notify: option email:",
          Set.of(
              "recipient",
              "to",
              "cc",
              "bcc",
              "replyTo",
              "subject",
              "template",
              "variables",
              "text",
              "html"));
  private static final KnownFields WEBHOOK =
      new KnownFields(OPTIONS.code(), "notify: option webhook:", Set.of("url", "headers", "data"));

  private final MailSender mailer;
  private final MailReader mailReader;
  private final Webhook webhook;
  private final Links links;

  public NotifyStep(MailSender mailer, MailTemplates templates, Fetcher fetcher, Links links) {
    this.mailer = mailer;
    this.mailReader = new MailReader(templates, OPTIONS.code());
    this.webhook = new Webhook(fetcher);
    this.links = links;
  }

  @Override
  public String name() {
    return "notify";
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    OPTIONS.check(options);
    var email = part(options, "email", EMAIL);
    var hook = part(options, "webhook", WEBHOOK);
    if (email == null && hook == null) {
      throw WorkFailure.permanent(
          OPTIONS.code(),
          "the step notify has nobody to tell: give it the option email, or webhook, or both");
    }
    if (email != null) mailReader.check(email);
    if (hook != null) Webhook.check(hook);
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    check(call.options());
    var email = part(call.options(), "email", EMAIL);
    var hook = part(call.options(), "webhook", WEBHOOK);
    var records = count(call.input());
    var summary = summary(call, records);
    var result = Json.object().put("records", records);
    // The webhook first: it is idempotent, so when it fails the mail is not sent yet.
    if (hook != null) {
      result.set(
          "webhook",
          Traces.part(SpanKind.HTTP, "webhook", () -> webhook.call(id(call), hook, summary)));
    }
    if (email != null) result.setAll(mail(call, email, summary));
    return new StepOutcome.Done(result, call.input(), StepOutcome.Counts.all(records));
  }

  private static @Nullable ObjectNode part(ObjectNode options, String name, KnownFields known)
      throws WorkFailure {
    var given = options.get(name);
    if (given == null || given.isNull()) return null;
    if (!(given instanceof ObjectNode object)) {
      throw WorkFailure.permanent(OPTIONS.code(), "notify: " + name + " must be an object");
    }
    known.check(object);
    return object;
  }

  // The same for every attempt, so that receivers can deduplicate; another one for each redrive.
  private static String id(StepCall call) {
    return call.life() == 0 ? call.id() : call.id() + "-r" + call.life();
  }

  private ObjectNode mail(StepCall call, ObjectNode email, ObjectNode summary) throws Exception {
    var data = email.deepCopy();
    var hasWords = data.has("template") || data.has("text") || data.has("html");
    if (!hasWords) data.put("template", "workflow_notice");
    var mail = mailReader.read(id(call), call.startedAt(), data, opening(summary));
    return mailer.sendTraced(mail, call.failures());
  }

  // A path without a host leads nowhere from a mail: such files are only named.
  private static ObjectNode opening(ObjectNode summary) {
    var variables = summary.deepCopy();
    for (var file : variables.path("files")) {
      var opens = file.path("url").asString("").startsWith("http");
      if (!opens && file instanceof ObjectNode named) named.putNull("url");
    }
    return variables;
  }

  private ObjectNode summary(StepCall call, long records) {
    var summary =
        Json.object()
            .put("workflowId", call.workflowId())
            .put("name", call.workflowName())
            .put("step", "notify")
            .put("stepIndex", call.index())
            .put("records", records);
    summary.setAll(links.of(call.workflowId()));
    return summary;
  }

  private static long count(Records records) throws IOException, InterruptedException {
    var count = 0L;
    try (var reader = records.open()) {
      while (reader.next() != null) {
        if (++count % 4_096 == 0 && Thread.interrupted()) {
          throw new InterruptedException("told to stop while counting records");
        }
      }
    }
    return count;
  }
}
