package io.tidemill.processor.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmailTaskIT {
  @TempDir static Path folder;
  private static GreenMail mail;
  private static EmailTask task;

  @BeforeAll
  static void start() {
    mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    mail.start();
    task = task("smtp://127.0.0.1:" + mail.getSmtp().getPort());
  }

  @AfterAll
  static void stop() {
    mail.stop();
  }

  @BeforeEach
  void forget() throws Exception {
    mail.purgeEmailFromAllMailboxes();
  }

  private static EmailTask task(String url) {
    return new EmailTask(new MailSender(Calls.smtp(url)), new MailTemplates(folder));
  }

  @Test
  void theContractsExampleArrivesAsMail() throws Exception { // C2.9
    var result =
        task.run(
            Calls.task(
                "task-1",
                0,
                """
                {"recipient":"user@example.com","subject":"Welcome to StreamOps",
                 "template":"welcome_email"}
                """));

    var got = received();
    assertThat(got.getSubject()).isEqualTo("Welcome to StreamOps");
    assertThat(got.getFrom()[0].toString()).isEqualTo("Tidemill <robot@mill.example>");
    assertThat(got.getHeader("Auto-Submitted")).containsExactly("auto-generated");
    assertThat(part(got, "text/plain")).contains("Your account is ready");
    assertThat(part(got, "text/html")).contains("Your account is ready").contains("<table");
    assertThat(result)
        .isEqualTo(
            Json.parse(
                """
                {"emailSent":true,"messageId":"<task-1@mill.example>","recipients":1}
                """));
  }

  @Test
  void aSecondAttemptIsTheSameMail() throws Exception { // F15
    for (int attempt = 0; attempt < 2; attempt++) {
      task.run(
          Calls.task(
              "task-7", attempt, "{\"to\":\"a@example.org\",\"subject\":\"s\",\"text\":\"t\"}"));
    }

    var all = mail.getReceivedMessages();
    assertThat(all).hasSize(2);
    for (var one : all) {
      assertThat(one.getMessageID()).isEqualTo("<task-7@mill.example>");
      assertThat(one.getSentDate().toInstant()).isEqualTo(Calls.CREATED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "x@y", "x>\r\nBcc: all@example.org", "", ".", "a..b", "ünï"})
  void anyIdMakesAMessageId(String id) {
    var messageId = new MailSender(Calls.smtp("")).messageId(id);

    assertThat(messageId).matches("<[0-9a-f]{64}@mill\\.example>");
    assertThat(messageId).isEqualTo(new MailSender(Calls.smtp("")).messageId(id));
  }

  @Test
  void everybodyGetsItAndBlindCopiesStayUnseen() throws Exception {
    var result =
        task.run(
            Calls.task(
                "task-2",
                0,
                """
                {"recipient":["Ann Lée <ann@example.org>","bob@example.org"],"cc":"cee@example.org",
                 "bcc":["dee@example.org","ann@example.org"],"replyTo":"desk@example.org",
                 "subject":"Grüße, {{who}} 🎉","variables":{"who":"Welt"},"html":"<p>Hi &amp; bye</p>"}
                """));

    assertThat(result.path("recipients").asInt()).isEqualTo(4);
    assertThat(mail.getReceivedMessages()).hasSize(4);
    var got = received();
    assertThat(got.getSubject()).isEqualTo("Grüße, Welt 🎉");
    assertThat(got.getRecipients(RecipientType.TO)[0].toString()).contains("ann@example.org");
    assertThat(got.getRecipients(RecipientType.CC)).hasSize(1);
    assertThat(got.getReplyTo()[0].toString()).isEqualTo("desk@example.org");
    assertThat(GreenMailUtil.getWholeMessage(got)).doesNotContain("dee@example.org");
    assertThat(part(got, "text/plain")).isEqualTo("Hi & bye");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"subject\":\"s\",\"text\":\"t\"}|INVALID_DATA|recipient",
        "{\"to\":\"a@b.example\",\"text\":\"t\"}|INVALID_DATA|subject",
        "{\"to\":\"a@b.example\",\"subject\":\"s\"}|INVALID_DATA|template",
        "{\"to\":\"a@b.example\",\"subject\":\"s\",\"template\":\"no\"}|INVALID_DATA|template",
        "{\"to\":\"a@b.example\",\"subject\":\"s\\r\\nBcc: x@y\",\"text\":\"t\"}|INVALID_DATA|subject",
        "{\"to\":\"a@b.example\\nX: y\",\"subject\":\"s\",\"text\":\"t\"}|INVALID_DATA|to",
        "{\"recipient\":\"a@b.example\",\"cc\":\"x\\r@b.example\",\"subject\":\"s\"}|INVALID_DATA|cc",
        "{\"to\":\"a@b.example\",\"subject\":\"{{x}}\",\"variables\":{\"x\":\"a\\nb\"},\"text\":\"t\"}|INVALID_DATA|variables",
        "{\"to\":\"a@b.example\",\"replyTo\":\"x\\n@b\",\"subject\":\"s\",\"text\":\"t\"}|INVALID_DATA|replyTo",
        "{\"to\":\"nobody\",\"subject\":\"s\",\"text\":\"t\"}|INVALID_RECIPIENT|to",
        "{\"to\":[7],\"subject\":\"s\",\"text\":\"t\"}|INVALID_RECIPIENT|to",
        "{\"to\":\"a@b.example\",\"subject\":{},\"text\":\"t\"}|INVALID_DATA|subject",
        "{\"to\":\"a@b.example\",\"template\":\"notice\",\"variables\":[]}|INVALID_DATA|variables",
      })
  void refusesWhatItCanNotSendByTheFieldsName(String data, String code, String field) { // F52
    var failure = failure(task, 0, data);

    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.isRetryable()).isFalse();
    assertThat(failure.getMessage()).startsWith(field + " ").doesNotContain("\n");
    assertThat(mail.getReceivedMessages()).isEmpty();
  }

  @Test
  void withoutAServerItSaysWhatToSet() {
    var failure = failure(task(""), 0, LETTER);

    assertThat(failure.code()).isEqualTo("SMTP_NOT_CONFIGURED");
    assertThat(failure).hasMessageContaining("set smtp.url");
    assertThat(failure.isRetryable()).isFalse();
  }

  private static final String LETTER =
      "{\"to\":[\"a@example.org\",\"b@example.org\"],\"subject\":\"s\",\"text\":\"t\"}";

  @ParameterizedTest
  @CsvSource({
    "greeting, 421 busy, SMTP_ERROR, true",
    "greeting, 554 go away, SMTP_REJECTED, false",
    "MAIL, 451 later, SMTP_ERROR, true",
    "MAIL, 550 not you, SMTP_REJECTED, false",
    "RCPT, 450 grey, SMTP_ERROR, true",
    "RCPT, 550 unknown user, INVALID_RECIPIENT, false",
    "DATA, 452 full, SMTP_ERROR, true",
    "DATA, 554 no, SMTP_REJECTED, false",
    "., 451 later, SMTP_ERROR, true",
    "., 554 spam, SMTP_REJECTED, false",
  })
  void fourIsForLaterAndFiveForGood(String command, String answer, String code, boolean retryable)
      throws Exception {
    try (var server = new ScriptedSmtp(Map.of(command, answer))) {
      var failure = failure(task(server.url()), 0, LETTER);

      assertThat(failure.code()).isEqualTo(code);
      assertThat(failure.isRetryable()).isEqualTo(retryable);
      assertThat(failure.getMessage()).contains(answer.substring(4));
    }
  }

  @Test
  void aMailThatWasTakenIsSentWhateverBecomesOfTheGoodbye() throws Exception {
    try (var server = new ScriptedSmtp(Map.of(".", "250 taken" + ScriptedSmtp.RESET))) {
      var result = task(server.url()).run(Calls.task("t", 0, LETTER));

      assertThat(result.path("emailSent").asBoolean()).isTrue();
      assertThat(server.mails).hasSize(1);
    }
  }

  @Test
  void aRefusedAddressDoesNotKeepTheMailFromOthers() throws Exception {
    try (var server = new ScriptedSmtp(Map.of("RCPT TO:<b@", "550 unknown user"))) {
      var result = task(server.url()).run(Calls.task("t", 0, LETTER));

      assertThat(server.mails).hasSize(1);
      assertThat(result.path("recipients").asInt()).isEqualTo(1);
      assertThat(result.path("refused").path(0).path("address").asString())
          .isEqualTo("b@example.org");
      assertThat(result.path("refused").path(0).path("reason").asString())
          .contains("550 unknown user");
    }
  }

  @Test
  void nobodyGetsItTwiceBecauseOneHasToWait() throws Exception {
    try (var server = new ScriptedSmtp(Map.of("RCPT TO:<b@", "450 grey"))) {
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThat(failure(task(server.url()), attempt, LETTER).isRetryable()).isTrue();
      }
      assertThat(server.mails).isEmpty();

      var result = task(server.url()).run(Calls.task("t", 2, LETTER));

      assertThat(server.mails).hasSize(1);
      assertThat(result.path("refused").path(0).path("address").asString())
          .isEqualTo("b@example.org");
    }
  }

  @Test
  void theOnlyOneWhoHasToWaitIsWaitedFor() throws Exception { // C2.10: greylisting passes
    try (var server = new ScriptedSmtp(Map.of("RCPT TO:<", "450 grey"))) {
      var failure = failure(task(server.url()), 7, LETTER);

      assertThat(failure.code()).isEqualTo("SMTP_ERROR");
      assertThat(failure.isRetryable()).isTrue();
      assertThat(server.mails).isEmpty();
    }
  }

  @Test
  void aServerThatFallsSilentIsForLater() throws Exception {
    var script = new LinkedHashMap<String, String>();
    script.put("MAIL", ScriptedSmtp.SILENCE);
    try (var server = new ScriptedSmtp(script)) {
      var config = new SmtpConfig(server.url(), "a@b.example", Duration.ofMillis(200));
      var failure =
          failure(new EmailTask(new MailSender(config), new MailTemplates(folder)), 0, LETTER);

      assertThat(failure.code()).isEqualTo("SMTP_ERROR");
      assertThat(failure.isRetryable()).isTrue();
    }
  }

  @Test
  void aServerThatIsNotThereIsForLater() throws IOException {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var failure = failure(task("smtp://u:hunter2@127.0.0.1:" + port + "?tls=none"), 0, LETTER);

    assertThat(failure.code()).isEqualTo("SMTP_ERROR");
    assertThat(failure.isRetryable()).isTrue();
    assertThat(failure).hasStackTraceContaining("127.0.0.1");
    assertThat(failure.toString() + failure.getCause()).doesNotContain("hunter2");
  }

  @Test
  void aPasswordNeverGoesOutInTheClearUnasked() throws Exception {
    try (var server = new ScriptedSmtp(Map.of("EHLO", "250-scripted\r\n250 AUTH PLAIN LOGIN"))) {
      var url = server.url().replace("smtp://", "smtp://u:hunter2@").replace("?tls=none", "");
      var failure = failure(task(url), 0, LETTER);

      assertThat(failure).hasMessageContaining("STARTTLS");
      assertThat(server.commands).noneMatch(command -> command.startsWith("AUTH"));
    }
  }

  @Test
  void aWrongPasswordIsForGood() throws Exception {
    var script = new LinkedHashMap<String, String>();
    script.put("EHLO", "250-scripted\r\n250 AUTH PLAIN");
    script.put("AUTH", "535 5.7.8 no");
    try (var server = new ScriptedSmtp(script)) {
      var failure = failure(task(server.url().replace("smtp://", "smtp://u:hunter2@")), 0, LETTER);

      assertThat(failure.code()).isEqualTo("SMTP_REJECTED");
      assertThat(failure.isRetryable()).isFalse();
      assertThat(failure.toString() + failure.getCause()).doesNotContain("hunter2");
    }
  }

  @Test
  void stopsWhenToldTo() throws Exception {
    var script = new LinkedHashMap<String, String>();
    script.put("MAIL", ScriptedSmtp.SILENCE);
    try (var server = new ScriptedSmtp(script)) {
      var thrown = new ArrayList<Throwable>();
      var thread =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  task(server.url()).run(Calls.task("t", 0, LETTER));
                } catch (Exception stopped) {
                  thrown.add(stopped);
                }
              });
      org.awaitility.Awaitility.await()
          .until(() -> server.commands.stream().anyMatch(command -> command.startsWith("MAIL")));
      thread.interrupt();
      thread.join();

      assertThat(thrown).hasSize(1).first().isInstanceOf(InterruptedException.class);
    }
  }

  private static WorkFailure failure(EmailTask task, int attempt, String data) {
    return catchThrowableOfType(
        WorkFailure.class, () -> task.run(Calls.task("task-x", attempt, data)));
  }

  private static MimeMessage received() {
    return mail.getReceivedMessages()[0];
  }

  private static String part(MimeMessage message, String type) throws Exception {
    return parts((MimeMultipart) message.getContent()).stream()
        .filter(part -> part.type().startsWith(type))
        .findFirst()
        .orElseThrow()
        .text()
        .strip();
  }

  private record Found(String type, String text) {}

  private static List<Found> parts(MimeMultipart whole) throws Exception {
    var found = new ArrayList<Found>();
    for (int i = 0; i < whole.getCount(); i++) {
      var part = whole.getBodyPart(i);
      if (part.getContent() instanceof MimeMultipart inner) found.addAll(parts(inner));
      else found.add(new Found(part.getContentType(), String.valueOf(part.getContent())));
    }
    return found;
  }
}
