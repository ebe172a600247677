package io.tidemill.processor.mail;

import io.tidemill.api.WorkFailure;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.workflow.Mailbox;
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

/// Hands mail to the server of `smtp.url`, each with a Message-ID that stays the same however often
/// it is sent (F15). One serves any number of threads.
public final class MailSender {
  /// From this attempt on, somebody who can't be reached now no longer holds up the others.
  private static final int PATIENCE = 2;

  private static final Pattern DOT_ATOM = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final int LONGEST_ID = 128;

  private final SmtpConfig config;
  private final Mailbox from;

  public MailSender(SmtpConfig config) {
    this.config = config;
    this.from = config.sender();
  }

  /// Sends a letter to everybody it is for, or to nobody.
  ///
  /// Addresses that the server refuses for good are left out and named in the answer. When it asks
  /// to try one later, nothing is sent, so that nobody gets it twice; unless that went on for some
  /// attempts already.
  ///
  /// @param attempt 0 for the first
  MailReceipt send(MailMessage letter, int attempt) throws WorkFailure, InterruptedException {
    var server =
        config
            .server()
            .orElseThrow(() ->
                WorkFailure.permanent(
                    "SMTP_NOT_CONFIGURED", "no mail server is configured: set smtp.url"));
    var session = Session.getInstance(properties(server));
    var message = message(letter, session);
    Transport transport = null;
    try {
      transport = session.getTransport(isDirect(server) ? "smtps" : "smtp");
      transport.connect(
          server.host(), server.port(), orNull(server.user()), orNull(server.password()));
      return deliver(transport, message, letter, attempt);
    } catch (MessagingException failed) {
      if (Thread.interrupted()) throw stopped(failed);
      throw SmtpFailure.of(failed, server);
    } finally {
      leave(transport);
    }
  }

  private static void leave(@Nullable Transport transport) {
    try {
      if (transport != null) transport.close();
    } catch (MessagingException gone) {
      // A mail that the server took is sent, even when it does not wait for our goodbye.
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

  private MailReceipt deliver(
      Transport transport, MimeMessage message, MailMessage letter, int attempt)
      throws MessagingException, WorkFailure {
    var open = new ArrayList<>(letter.recipients());
    var refused = new ArrayList<MailReceipt.Refused>();
    SmtpFailure.Answer waits = null;
    while (!open.isEmpty()) {
      try {
        transport.sendMessage(message, addresses(open));
        return new MailReceipt(messageId(letter.id()), open.size(), refused);
      } catch (MessagingException failed) {
        var answers = SmtpFailure.recipients(failed);
        if (answers.isEmpty()) throw failed;
        for (var answer : answers) {
          if (answer.isPassing()) waits = answer;
          if (waits != null && attempt < PATIENCE) throw SmtpFailure.later(waits);
          open.remove(answer.address());
          refused.add(new MailReceipt.Refused(answer.address(), answer.said()));
        }
      }
    }
    // There are no others for whose sake to give up on the one who may be reached later.
    throw waits == null ? SmtpFailure.nobody(refused) : SmtpFailure.later(waits);
  }

  private static Address[] addresses(List<String> recipients) throws AddressException {
    var addresses = new Address[recipients.size()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = new InternetAddress(recipients.get(i));
    }
    return addresses;
  }

  private MimeMessage message(MailMessage letter, Session session) {
    var email =
        EmailBuilder.ignoringDefaults()
            .ignoringOverrides()
            .startingBlank()
            // Angus writes one of its own over an id that is set in any other way (F15).
            .fixingMessageId(messageId(letter.id()))
            .fixingSentDate(Date.from(letter.date()))
            .from(nameOf(from), from.address())
            .withSubject(letter.subject())
            .withHeader("Auto-Submitted", "auto-generated");
    add(email, letter.to(), RecipientType.TO);
    add(email, letter.cc(), RecipientType.CC);
    letter.replyTo().ifPresent(box -> email.withReplyTo(nameOf(box), box.address()));
    if (!letter.text().isEmpty()) email.withPlainText(letter.text());
    if (!letter.html().isEmpty()) email.withHTMLText(letter.html());
    return EmailConverter.emailToMimeMessage(email.buildEmail(), session);
  }

  // Blind copies are in the envelope alone.
  private static void add(EmailPopulatingBuilder email, List<Mailbox> boxes, RecipientType type) {
    for (var box : boxes) email.withRecipient(nameOf(box), box.address(), type);
  }

  private static @Nullable String nameOf(Mailbox box) {
    return box.name().isEmpty() ? null : box.name();
  }

  /// The Message-ID of a letter, whatever its id is made of.
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
