package io.tidemill.processor.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.WorkFailure;
import io.tidemill.config.Settings;
import io.tidemill.content.url.Cidr;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.connection.DnsResolver;
import io.tidemill.json.Json;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class NotifyStepIT {
  @TempDir Path folder;
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final GreenMail mail =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
  private HttpServer site;
  private Fetcher fetcher;
  private NotifyStep step;
  private ObjectNode links = Json.object();

  @BeforeEach
  void start() throws IOException {
    mail.start();
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext("/", this::answer);
    site.start();
    fetcher = fetcher(List.of(Cidr.parse("127.0.0.0/8")));
    step = step(fetcher);
  }

  @AfterEach
  void stop() {
    site.stop(0);
    fetcher.close();
    mail.stop();
  }

  private static Fetcher fetcher(List<Cidr> allowed) {
    var config =
        Settings.load(null, Map.of(), Map.of(), List.of(FetchConfig.class))
            .section(FetchConfig.class);
    return new Fetcher(
        "webhooks", config, allowed, DnsResolver.system(), new SimpleMeterRegistry());
  }

  private NotifyStep step(Fetcher fetcher) {
    return new NotifyStep(
        new MailSender(Calls.smtp("smtp://127.0.0.1:" + mail.getSmtp().getPort())),
        new MailTemplates(folder),
        fetcher,
        _ -> links);
  }

  private void answer(HttpExchange exchange) throws IOException {
    var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    var headers = exchange.getRequestHeaders();
    calls.add(
        "%s %s %s %s %s"
            .formatted(
                exchange.getRequestMethod(),
                headers.getFirst("Content-Type"),
                headers.getFirst("Idempotency-Key"),
                headers.getFirst("X-Token"),
                body));
    var answer = exchange.getResponseHeaders();
    switch (exchange.getRequestURI().getPath()) {
      case "/elsewhere" -> {
        answer.add("Location", "/200");
        exchange.sendResponseHeaders(307, -1);
      }
      case "/damaged" -> {
        answer.add("Content-Encoding", "gzip");
        exchange.sendResponseHeaders(200, 5);
        exchange.getResponseBody().write("plain".getBytes(StandardCharsets.UTF_8));
      }
      case "/unknown" -> {
        answer.add("Content-Encoding", "rot13");
        exchange.sendResponseHeaders(200, -1);
      }
      case "/cut" -> {
        exchange.sendResponseHeaders(200, 1_000);
        exchange.getResponseBody().write("the beginning".getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
      case "/long" -> {
        exchange.sendResponseHeaders(200, 1_000_000);
        exchange.getResponseBody().write(new byte[1_000_000]);
      }
      case String path -> exchange.sendResponseHeaders(Integer.parseInt(path.substring(1)), -1);
    }
    exchange.close();
  }

  @Test
  void postsASummaryThatARepetitionIsKnownBy() throws Exception { // C2.8
    var options =
        """
        {"webhook":{"url":"%s","headers":{"X-Token":"abc"},"data":{"note":"grün"}}}
        """
            .formatted(url("/200"));

    for (int attempt = 0; attempt < 2; attempt++) {
      var done = (StepOutcome.Done) step.run(Calls.step(options, 10_000));

      assertThat(done.counts()).isEqualTo(StepOutcome.Counts.all(10_000));
      assertThat(Json.text(done.result()))
          .isEqualTo("{\"records\":10000,\"webhook\":{\"status\":200}}");
    }
    assertThat(calls)
        .hasSize(2)
        .allMatch(call ->
            call.equals(
                "POST application/json wf-1-2 abc "
                    + "{\"workflowId\":\"wf-1\",\"name\":\"Nightly <b>run</b>\",\"step\":\"notify\","
                    + "\"stepIndex\":2,\"records\":10000,\"data\":{\"note\":\"grün\"}}"));
  }

  @Test
  void noticesLinkToTheWorkflowAndToItsFiles() throws Exception {
    var page = "https://ops.example.org/tidemill/#/workflows/wf-1";
    var file = "https://ops.example.org/tidemill/api/workflows/wf-1/steps/1/files/a.csv";
    links.put("link", page).putArray("files").add(file("a.csv", file));

    step.run(Calls.step(both("/200"), 1));

    assertThat(calls)
        .singleElement()
        .asString()
        .contains("\"link\":\"" + page + "\"")
        .contains("\"files\":[{\"step\":\"export\",\"name\":\"a.csv\",\"url\":\"" + file + "\"}]");
    assertThat(words()).contains("File: a.csv " + file, "Open the workflow: " + page);
    assertThat(words()).contains("href=\"" + file + "\"");
  }

  @Test
  void filesThatNoAddressIsKnownOfAreNamed() throws Exception {
    links.putArray("files").add(file("a.csv", "/api/workflows/wf-1/steps/1/files/a.csv"));

    step.run(Calls.step(both("/200"), 1));

    assertThat(calls).singleElement().asString().contains("\"url\":\"/api/workflows/wf-1/steps");
    assertThat(words()).contains("File: a.csv").doesNotContain("/api/workflows", "href=\"#\"");
  }

  private static ObjectNode file(String name, String url) {
    return Json.object().put("step", "export").put("name", name).put("url", url);
  }

  // Both forms of the only mail.
  private String words() throws Exception {
    var parts = (MimeMultipart) mail.getReceivedMessages()[0].getContent();
    var words = new StringBuilder();
    for (int i = 0; i < parts.getCount(); i++) words.append(parts.getBodyPart(i).getContent());
    return words.toString();
  }

  @Test
  void callsForAnyWorkflowHaveAKey() throws Exception {
    var options = "{\"webhook\":{\"url\":\"%s\"}}".formatted(url("/200"));

    for (int attempt = 0; attempt < 2; attempt++) step.run(Calls.step("наряд 1", options, 1));

    assertThat(calls).hasSize(2).allMatch(call -> call.matches("POST \\S+ ~[0-9a-f]{64} .*"));
    assertThat(calls.getFirst()).isEqualTo(calls.getLast());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/damaged", "/unknown", "/cut", "/long"})
  void aCallWentWellWhateverTheBodyOfTheAnswer(String path) throws Exception {
    var options = "{\"webhook\":{\"url\":\"%s\"}}".formatted(url(path));

    var done = (StepOutcome.Done) step.run(Calls.step(options, 1));

    assertThat(done.result().at("/webhook/status").asInt()).isEqualTo(200);
    assertThat(calls).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"500, true", "503, true", "429, true", "400, false", "404, false", "410, false"})
  void aServersFaultIsForLaterAndOursForGood(int status, boolean retryable) {
    var failure = failure(step, "{\"webhook\":{\"url\":\"%s\"}}".formatted(url("/" + status)));

    assertThat(failure.isRetryable()).isEqualTo(retryable);
    assertThat(failure.code()).isEqualTo(retryable ? "WEBHOOK_ERROR" : "WEBHOOK_REJECTED");
    assertThat(failure).hasMessageContaining(String.valueOf(status));
    assertThat(calls).hasSize(1);
  }

  @Test
  void aRedirectIsNotFollowed() {
    var failure = failure(step, "{\"webhook\":{\"url\":\"%s\"}}".formatted(url("/elsewhere")));

    assertThat(failure.code()).isEqualTo("WEBHOOK_REJECTED");
    assertThat(failure.isRetryable()).isFalse();
    assertThat(calls).hasSize(1);
  }

  @Test
  void ownNetworksAreOutOfReach() { // F47
    try (var guarded = fetcher(List.of())) {
      var failure = failure(step(guarded), "{\"webhook\":{\"url\":\"%s\"}}".formatted(url("/200")));

      assertThat(failure.code()).isEqualTo("WEBHOOK_REJECTED");
      assertThat(failure.isRetryable()).isFalse();
    }
    assertThat(calls).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"webhook\":7}",
        "{\"webhook\":{}}",
        "{\"webhook\":{\"url\":\"ftp://x\"}}",
        "{\"webhook\":{\"url\":\"http://x.example\",\"headers\":{\"A\":\"b\\r\\nC: d\"}}}",
        "{\"webhook\":{\"url\":\"http://x.example\",\"headers\":{\"A: b\\r\\nC\":\"d\"}}}",
        "{\"webhook\":{\"url\":\"http://x.example\",\"headers\":{\"Host\":\"d\"}}}",
        "{\"webhook\":{\"url\":\"http://x.example\",\"headers\":[]}}",
        "{\"email\":{}}",
        "{\"email\":7}",
        "{\"email\":{\"to\":\"a@example.org\",\"template\":\"none\"}}",
        "{\"email\":{\"to\":\"a@example.org\",\"template\":\"notice\",\"subject\":\"{{none}}\"}}",
      })
  void refusesWhatItCanNotUse(String options) {
    var failure = failure(step, options);

    assertThat(failure.code()).isEqualTo("INVALID_OPTIONS");
    assertThat(calls).isEmpty();
    assertThat(mail.getReceivedMessages()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"emial\":{}}",
        "{\"email\":{\"tow\":\"a@example.org\"}}",
        "{\"webhook\":{\"uri\":\"http://x.example\"}}",
      })
  void refusesWhatItDoesNotKnow(String options) {
    var failure = failure(step, options);

    assertThat(failure.code()).isEqualTo("INVALID_OPTIONS");
    assertThat(failure).hasMessageStartingWith("notify: option");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"email\":{}}",
        "{\"email\":{\"to\":\"nobody\"}}",
        "{\"email\":{\"to\":\"a@example.org\"},\"webhook\":{\"uri\":\"http://x.example\"}}",
        "{\"webhook\":{\"url\":\"ftp://x\"}}",
        "{\"webhook\":{\"url\":\"http://x.example\",\"headers\":[]}}",
      })
  void refusesThemBeforeAnyStepRuns(String options) { // C2.8
    assertThatThrownBy(() -> step.check((ObjectNode) Json.parse(options)))
        .isInstanceOf(WorkFailure.class);
  }

  @Test
  void namesItselfWhenThereIsNobodyToTell() {
    assertThat(failure(step, "{}")).hasMessageContaining("the step notify");
  }

  @Test
  void writesWithAWorkflowsOwnWords() throws Exception {
    var done = (StepOutcome.Done) step.run(Calls.step(both("/200"), 3));

    var got = mail.getReceivedMessages()[0];
    assertThat(got.getSubject()).isEqualTo("Nightly <b>run</b>: 3 records");
    assertThat(got.getMessageID()).isEqualTo("<wf-1-2@mill.example>");
    assertThat(GreenMailUtil.getBody(got)).contains("Workflow: Nightly <b>run</b>");
    assertThat(done.result().path("emailSent").asBoolean()).isTrue();
    assertThat(calls).hasSize(1);
  }

  @Test
  void whatIsToldInAnotherLifeIsNoRepetition() throws Exception {
    step.run(Calls.again(both("/200"), 3, 1));

    assertThat(mail.getReceivedMessages()[0].getMessageID()).isEqualTo("<wf-1-2-r1@mill.example>");
    assertThat(calls).singleElement().asString().contains("wf-1-2-r1");
  }

  @Test
  void noMailGoesOutBeforeTheCallWentWell() {
    assertThat(failure(step, both("/500")).isRetryable()).isTrue();
    assertThat(mail.getReceivedMessages()).isEmpty();
  }

  @Test
  void whoHasToWaitHoldsUpTheOthersOnlySoOften() throws Exception { // C2.8
    try (var server = new ScriptedSmtp(Map.of("RCPT TO:<b@", "450 grey"))) {
      var patient =
          new NotifyStep(
              new MailSender(Calls.smtp(server.url())),
              new MailTemplates(folder),
              fetcher,
              _ -> Json.object());
      var options = "{\"email\":{\"to\":[\"a@example.org\",\"b@example.org\"]}}";
      assertThat(failure(patient, options).isRetryable()).isTrue();

      patient.run(Calls.repeated(options, 1, 2));

      assertThat(server.mails).hasSize(1);
    }
  }

  private static WorkFailure failure(NotifyStep step, String options) {
    return catchThrowableOfType(WorkFailure.class, () -> step.run(Calls.step(options, 1)));
  }

  private String both(String path) {
    return "{\"email\":{\"to\":\"a@example.org\"},\"webhook\":{\"url\":\"%s\"}}"
        .formatted(url(path));
  }

  private String url(String path) {
    return "http://127.0.0.1:" + site.getAddress().getPort() + path;
  }
}
