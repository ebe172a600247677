package io.tidemill.processor.mail;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.contract.workflow.Mailbox;
import java.time.Duration;
import java.util.Optional;

/// Settings of outgoing mail, read from keys `smtp.*`.
@Section("smtp")
public record SmtpConfig(
    @Setting(
            value = "",
            doc =
                "Mail server as smtp://[user:password@]host[:port][?tls=starttls|none] (smtps:// for TLS from the start); empty = no mail.",
            secret = true)
        String url,
    @Setting(
            value = "Tidemill <tidemill@localhost>",
            doc = "Whom mail comes from; its domain also ends the Message-IDs.")
        String from,
    @Setting(value = "30s", doc = "How long the mail server may take for each of its answers.")
        Duration timeout) {
  public SmtpConfig {
    if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("smtp.timeout is " + timeout + ": expected more than 0");
    }
    if (Mailbox.parse(from).isEmpty()) {
      throw new IllegalArgumentException(
          "smtp.from is '" + from + "': expected name@example.org or Name <name@example.org>");
    }
    if (!url.isEmpty()) SmtpServer.parse(url);
  }

  /// The server; empty when there is none.
  Optional<SmtpServer> server() {
    return url.isEmpty() ? Optional.empty() : Optional.of(SmtpServer.parse(url));
  }

  Mailbox sender() {
    return Mailbox.parse(from).orElseThrow();
  }

  /// Without the URL: it may hold a password.
  @Override
  public String toString() {
    return "SmtpConfig[from=" + from + ", timeout=" + timeout + "]";
  }
}
