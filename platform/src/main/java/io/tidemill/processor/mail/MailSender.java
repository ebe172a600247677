package io.tidemill.processor.mail;

import io.tidemill.api.WorkFailure;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.workflow.Mailbox;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import jakarta.mail.Address;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.simplejavamail.api.email.EmailPopulatingBuilder;
import org.simplejavamail.converter.EmailConverter;
import org.simplejavamail.email.EmailBuilder;
import tools.jackson.databind.node.ObjectNode;

/// Sends mail through the server of `smtp.url`, with a Message-ID that is the same on every attempt
/// (F15). Thread-safe.
public final class MailSender {
  /// From this attempt on, deferred addresses are left out.
  private static final int PATIENCE = 2;

  private static final Pattern DOT_ATOM = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final int LONGEST_ID = 128;

  private final SmtpConfig config;
  private final Mailbox from;

  public MailSender(SmtpConfig config) {
    this.config = config;
    this.from = config.sender();
  }

  /// The server accepted a mail.
  ///
  /// @param messageId with its angle brackets
  /// @param recipients the number of addresses that it went to
  /// @param refused the addresses that the server refused
  record Receipt(String messageId, int recipients, List<Refused> refused) {}

  /// An address that the server refused, and its reply.
  record Refused(String address, String reason) {}

  /// Sends a mail to all its recipients or to none.
  ///
  /// Addresses that the server rejects permanently are left out and listed in the receipt. When the
  /// server defers an address, nothing is sent, so that no recipient gets two copies; from the
  /// third attempt on deferred addresses are left out as well.
  ///
  /// @param attempt 0 for the first
  Receipt send(MailMessage mail, int attempt) throws WorkFailure, InterruptedException {
    var server =
        config
            .server()
            .orElseThrow(() ->
                WorkFailure.permanent(
                    "SMTP_NOT_CONFIGURED", "no mail server is configured: set smtp.url"));
    var session = Session.getInstance(properties(server));
    var mime = mime(mail, session);
    Transport transport = null;
    try {
      transport = session.getTransport(isDirect(server) ? "smtps" : "smtp");
      transport.connect(
          server.host(), server.port(), orNull(server.user()), orNull(server.password()));
      return deliver(transport, mime, mail, attempt);
    } catch (MessagingException failed) {
      if (Thread.interrupted()) throw stopped(failed);
      throw SmtpFailure.of(failed, server);
    } finally {
      closeQuietly(transport);
    }
  }

  /// Sends a mail in a span of the current trace.
  ///
  /// @return what `task.completed` and `workflow.step.completed` carry
  ObjectNode sendTraced(MailMessage mail, int attempt) throws Exception {
    return Traces.part(
        SpanKind.MAIL,
        "send mail",
        () -> {
          Traces.note("recipients", mail.recipients().size());
          return result(send(mail, attempt));
        });
  }

  private static ObjectNode result(Receipt sent) {
    var result =
        Json.object()
            .put("emailSent", true)
            .put("messageId", sent.messageId())
            .put("recipients", sent.recipients());
    if (sent.refused().isEmpty()) return result;
    var refused = result.putArray("refused");
    for (var one : sent.refused()) {
      refused.addObject().put("address", one.address()).put("reason", one.reason());
    }
    return result;
  }

  private static void closeQuietly(@Nullable Transport transport) {
    try {
      if (transport != null) transport.close();
    } catch (MessagingException gone) {
      // The server has accepted the mail, even when QUIT fails.
    }
  }

  private static InterruptedException stopped(Exception cause) {
    var stopped = new InterruptedException("told to stop while sending mail");
    stopped.initCause(cause);
    return stopped;
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private Receipt deliver(Transport transport, MimeMessage mime, MailMessage mail, int attempt)
      throws MessagingException, WorkFailure {
    var open = new ArrayList<>(mail.recipients());
    var refused = new ArrayList<Refused>();
    SmtpFailure.Answer waits = null;
    while (!open.isEmpty()) {
      try {
        transport.sendMessage(mime, addresses(open));
        return new Receipt(messageId(mail.id()), open.size(), refused);
      } catch (MessagingException failed) {
        var answers = SmtpFailure.recipients(failed);
        if (answers.isEmpty()) throw failed;
        for (var answer : answers) {
          if (answer.isPassing()) waits = answer;
          if (waits != null && attempt < PATIENCE) throw SmtpFailure.later(waits);
          open.remove(answer.address());
          refused.add(new Refused(answer.address(), answer.reply()));
        }
      }
    }
    // Without other recipients a deferred one is retried.
    throw waits == null ? SmtpFailure.nobody(refused) : SmtpFailure.later(waits);
  }

  private static Address[] addresses(List<String> recipients) throws AddressException {
    var addresses = new Address[recipients.size()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = new InternetAddress(recipients.get(i));
    }
    return addresses;
  }

  private MimeMessage mime(MailMessage mail, Session session) {
    var email =
        EmailBuilder.ignoringDefaults()
            .ignoringOverrides()
            .startingBlank()
            // Angus replaces an id that is set in any other way (F15).
            .fixingMessageId(messageId(mail.id()))
            .fixingSentDate(Date.from(mail.date()))
            .from(nameOf(from), from.address())
            .withSubject(mail.subject())
            .withHeader("Auto-Submitted", "auto-generated");
    add(email, mail.to(), RecipientType.TO);
    add(email, mail.cc(), RecipientType.CC);
    mail.replyTo().ifPresent(box -> email.withReplyTo(nameOf(box), box.address()));
    if (!mail.text().isEmpty()) email.withPlainText(mail.text());
    if (!mail.html().isEmpty()) email.withHTMLText(mail.html());
    return EmailConverter.emailToMimeMessage(email.buildEmail(), session);
  }

  // Bcc addresses are in the envelope only.
  private static void add(EmailPopulatingBuilder email, List<Mailbox> boxes, RecipientType type) {
    for (var box : boxes) email.withRecipient(nameOf(box), box.address(), type);
  }

  private static @Nullable String nameOf(Mailbox box) {
    return box.name().isEmpty() ? null : box.name();
  }

  /// The Message-ID of a mail, for any id.
  String messageId(String id) {
    var isPlain = id.length() <= LONGEST_ID && DOT_ATOM.matcher(id).matches();
    return "<" + (isPlain ? id : Digest.sha256().add(id).hex()) + "@" + from.domain() + ">";
  }

  private static boolean isDirect(SmtpServer server) {
    return server.tls() == SmtpServer.Tls.DIRECT;
  }

  private Properties properties(SmtpServer server) {
    var protocol = isDirect(server) ? "mail.smtps." : "mail.smtp.";
    var properties = new Properties();
    var timeout = String.valueOf(config.timeout().toMillis());
    for (var limit : List.of("connectiontimeout", "timeout", "writetimeout")) {
      properties.put(protocol + limit, timeout);
    }
    properties.put(protocol + "auth", String.valueOf(!server.user().isEmpty()));
    properties.put(protocol + "localhost", from.domain());
    properties.put(protocol + "from", from.address());
    properties.put(protocol + "sendpartial", "false");
    properties.put(protocol + "quitwait", "false");
    properties.put(protocol + "ssl.checkserveridentity", "true");
    var starttls =
        server.tls() == SmtpServer.Tls.STARTTLS || server.tls() == SmtpServer.Tls.OFFERED;
    properties.put(protocol + "starttls.enable", String.valueOf(starttls));
    properties.put(
        protocol + "starttls.required", String.valueOf(server.tls() == SmtpServer.Tls.STARTTLS));
    return properties;
  }
}
