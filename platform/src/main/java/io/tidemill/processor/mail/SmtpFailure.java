package io.tidemill.processor.mail;

import io.tidemill.api.WorkFailure;
import io.tidemill.content.text.Excerpt;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.jspecify.annotations.Nullable;

/// Classifies replies of a mail server: 4xx and no reply are transient, 5xx is permanent (RFC 5321,
/// 4.2.1).
final class SmtpFailure {
  private static final Pattern CODE = Pattern.compile("(?:^|response: )([45])\\d\\d\\b");
  private static final int LONGEST = 300;

  private SmtpFailure() {}

  /// The server's reply for one recipient.
  record Answer(String address, int code, String reply) {
    boolean isPassing() {
      return code < 500;
    }
  }

  /// The replies for refused recipients; none when the server refused the mail as a whole.
  static List<Answer> recipients(MessagingException failed) {
    var answers = new ArrayList<Answer>();
    for (Exception at = failed; at != null; at = next(at)) {
      if (at instanceof SMTPAddressFailedException one) {
        answers.add(
            new Answer(
                one.getAddress().getAddress(), one.getReturnCode(), reply(one.getMessage())));
      }
    }
    return answers;
  }

  private static @Nullable Exception next(Exception at) {
    return at instanceof MessagingException failed ? failed.getNextException() : null;
  }

  static WorkFailure of(MessagingException failed, SmtpServer server) {
    var code = code(failed);
    var reply = reply(failed.getMessage());
    if (failed instanceof AuthenticationFailedException && code != 4) {
      return WorkFailure.permanent(
          "SMTP_REJECTED",
          "the mail server %s refused our user name or password".formatted(server),
          failed);
    }
    return code == 5
        ? WorkFailure.permanent(
            "SMTP_REJECTED", "the mail server %s refused: %s".formatted(server, reply), failed)
        : WorkFailure.passing(
            "SMTP_ERROR", "the mail server %s failed: %s".formatted(server, reply), failed);
  }

  static WorkFailure later(Answer answer) {
    return WorkFailure.passing(
        "SMTP_ERROR",
        "the mail server does not take mail for %s now: %s"
            .formatted(answer.address(), answer.reply()));
  }

  static WorkFailure nobody(List<MailSender.Refused> refused) {
    var all =
        refused.stream()
            .map(one -> one.address() + " (" + one.reason() + ")")
            .collect(Collectors.joining(", "));
    return WorkFailure.permanent(
        "INVALID_RECIPIENT", Excerpt.of("the mail server takes no mail for " + all, LONGEST));
  }

  /// The first digit of the server's reply, 4 or 5; 0 without a reply.
  private static int code(MessagingException failed) {
    for (Exception at = failed; at != null; at = next(at)) {
      if (at instanceof SMTPSendFailedException sending) return sending.getReturnCode() / 100;
      if (at instanceof SMTPSenderFailedException sender) return sender.getReturnCode() / 100;
      var code = CODE.matcher(String.valueOf(at.getMessage()).strip());
      if (code.find()) return Integer.parseInt(code.group(1));
    }
    return 0;
  }

  private static String reply(@Nullable String message) {
    return Excerpt.of(String.valueOf(message).replaceAll("[\\p{Cntrl}\\s]+", " ").strip(), LONGEST);
  }
}
