package io.tidemill.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.trace.StoredSpan;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Whatever strangers write, wherever they write it, is shown as text: every string of the corpus
/// as a title, name, payload, error, header and span (F54).
abstract class HostileScenes extends Scenes {
  private static final int HALF = 2;
  private static final int FLOCK = 100;
  private static final String NOW = "2026-01-04T01:10:00.000Z";

  private static List<String> strings = List.of();
  private static final List<String> crawls = new ArrayList<>();
  private static final List<String> echoes = new ArrayList<>();

  /// Everybody writes at the same time.
  @BeforeAll
  static void write() throws Exception {
    strings = ForeignPrograms.strings();
    mill.needWorker();
    for (int half = 0; half < HALF; half++) crawls.add(crawlTitles(half));
    for (int i = 0; i < strings.size(); i++) sendFlows(i);
    for (var flock : flocks()) sendBroken(flock);
    mill.wire().flush();
    for (int half = 0; half < HALF; half++) writeAtOnce(half(half));
    mill.wire().keep(spans());
    submitJobs();
    askForPages();
    for (var crawl : crawls) mill.awaitStatus("/api/crawls/" + crawl, "completed");
    mill.awaitTotal("/api/workflows?status=failed&limit=1", strings.size());
    mill.awaitTotal("/api/tasks?status=dead_letter&limit=1", strings.size());
    mill.awaitTotal("/v1/jobs?status=error&limit=1", strings.size());
  }

  /// A word that no other one begins with.
  private static String flock(int at) {
    return "flock" + (char) ('a' + at);
  }

  private static List<String> half(int half) {
    var middle = strings.size() / 2;
    return half == 0 ? strings.subList(0, middle) : strings.subList(middle, strings.size());
  }

  private static List<List<String>> flocks() {
    return IntStream.range(0, (strings.size() + FLOCK - 1) / FLOCK)
        .mapToObj(
            flock -> strings.subList(flock * FLOCK, Math.min(strings.size(), (flock + 1) * FLOCK)))
        .toList();
  }

  /// As titles of pages, in their text, and in their paths as far as paths can hold them.
  private static String crawlTitles(int half) {
    var folder = "/hostile-" + half + "/";
    var paths = new ArrayList<String>();
    for (var text : half(half)) {
      var path = folder + paths.size() + "-" + encoded(text) + "-";
      var at = half * strings.size() / HALF + paths.size();
      mill.site().publish(path, text, List.of(), flock(at / FLOCK));
      paths.add(path);
    }
    return mill.startCrawl(mill.site().publish(folder, "Hostile titles", paths), paths.size() + 1);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /// As id, name, step, record of a workflow, and as id, type and data of a task.
  private static void sendFlows(int at) {
    var text = strings.get(at);
    var id = at + " " + begun(text, 400);
    var workflow =
        Json.object()
            .put("workflowId", "wf-" + id)
            .put("name", text)
            .put("priority", "low")
            .put("createdAt", NOW);
    workflow.putArray("steps").add(text);
    workflow.putObject("input").put("flock", flock(at / FLOCK)).putArray("records").add(text);
    send("workflows", "workflow.created", "wf-" + id, workflow);
    var task =
        Json.object()
            .put("taskId", "task-" + id)
            .put("type", text)
            .put("retryCount", 0)
            .put("maxRetries", 0)
            .put("createdAt", NOW);
    task.putObject("data").put(text, text);
    send("tasks", "task.created", "task-" + id, task);
  }

  private static void send(String topic, String type, String key, ObjectNode payload) {
    var event =
        Json.object().put("eventType", type).put("eventId", "evt-" + key).put("timestamp", NOW);
    mill.wire().send(topic, key, Json.text(event.set("payload", payload)), Map.of());
  }

  /// As headers, key and body of a record that nobody can read.
  private static void sendBroken(List<String> flock) {
    var headers = new TreeMap<String, String>();
    flock.forEach(text -> headers.put(text, text));
    mill.wire().send("crawl-requests", flock.getFirst(), String.join("\n", flock), headers);
  }

  /// As payload of a job, in its stream, and in a queue.
  private static void writeAtOnce(List<String> half) throws Exception {
    var arguments = Json.object();
    half.forEach(arguments.putArray("texts")::add);
    echoes.add(mill.submitTool("echo", arguments));
    mill.spoilJob(String.join("\n", half));
    mill.wire().publish("crawler_queue", String.join("\n", half), half);
  }

  /// As names, notes and errors of spans, a hundred a trace.
  private static List<StoredSpan> spans() {
    var spans = new ArrayList<StoredSpan>();
    for (int at = 0; at < strings.size(); at++) {
      var text = strings.get(at);
      var shown = begun(text, 200);
      spans.add(
          new StoredSpan(
              traceId(at / FLOCK),
              "%016x".formatted(at + 1),
              null,
              shown,
              SpanKind.STEP.wire(),
              "processor",
              System.currentTimeMillis() * 1_000 + at,
              1_000,
              shown,
              Map.of("text", shown),
              List.of()));
    }
    return spans;
  }

  private static String traceId(int flock) {
    return "facade%026x".formatted(flock + 1);
  }

  /// As what an error complains of.
  private static void submitJobs() {
    var answers =
        mill.all(
            strings.stream()
                .map(text -> {
                  var job = Json.object().put("task", "tool");
                  job.putObject("payload").put(text, 1);
                  return mill.request("POST", "/v1/jobs", Json.text(job));
                }));
    assertThat(answers).allMatch(answer -> answer.statusCode() == 202);
  }

  /// As something that the audit trail keeps.
  private static void askForPages() {
    mill.all(
        flocks().getFirst().stream()
            .map(text -> mill.request("DELETE", "/api/pages?url=" + encoded(text), "")));
  }

  @AfterEach
  void nothingOfItIsPartOfThePage() {
    assertThat(ForeignPrograms.intruders(page)).isEmpty();
  }

  private void assertShown(String selector, List<String> texts) {
    assertThat(ForeignPrograms.missing(page, selector, texts)).isEmpty();
    assertThat(ForeignPrograms.intruders(page)).isEmpty();
  }

  private void assertWithin(String selector, List<String> texts) {
    assertThat(ForeignPrograms.missingWithin(page, selector, texts)).isEmpty();
    assertThat(ForeignPrograms.intruders(page)).isEmpty();
  }

  private static String begun(String text, int most) {
    return text.substring(0, Math.min(most, text.length()));
  }

  private static List<String> begun(List<String> texts, int most) {
    return texts.stream().map(text -> begun(text, most)).toList();
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }

  @Test
  void titlesOfPages() {
    for (int half = 0; half < HALF; half++) {
      sight.open("crawls/" + crawls.get(half) + "?tab=pages");
      assertShown("[role=cell]", begun(half(half), 300));
    }
    sight.open("analytics/web?from=2026-01-01");
    assertShown("[role=cell]", begun(strings, 500));
  }

  @Test
  void titlesAndTextsOfWhatIsFound() {
    // The same answers in larger portions.
    larger("/api/search?", "size=20", "size=100");
    for (int flock = 0; flock < flocks().size(); flock++) {
      sight.open("search?explain=1&q=" + flock(flock));
      assertShown("main li h2", flocks().get(flock));
      assertWithin("main li", flocks().get(flock));
    }
  }

  private void larger(String path, String portion, String larger) {
    anew();
    page.route(
        url -> url.contains(path),
        route ->
            route.resume(
                new Route.ResumeOptions().setUrl(route.request().url().replace(portion, larger))));
  }

  @Test
  void payloadsAndErrorsOfJobs() {
    sight.open("jobs?status=error");
    assertShown(
        "[role=cell]",
        strings.stream()
            .map(text ->
                "BAD_PAYLOAD payload.%s is not known: expected name, arguments"
                    .formatted(cut(text, 40)))
            .toList());
    for (int half = 0; half < HALF; half++) {
      sight.open("jobs/" + echoes.get(half));
      assertWithin(
          "[aria-label=Payload]", half(half).stream().map(ForeignPrograms::inJson).toList());
      assertWithin(
          "[aria-label=Result]", half(half).stream().map(ForeignPrograms::inJson).toList());
    }
  }

  @Test
  void namesStepsAndErrorsOfWorkflows() {
    sight.open("workflows?status=failed");
    assertShown("[role=cell]", strings);
    assertShown("[role=cell]", strings.stream().map(text -> "1 of 1 " + text).toList());
    sight.rows().first().click();
    assertWithin("main", List.of("UNKNOWN_STEP"));
  }

  @Test
  void typesAndErrorsOfTasks() {
    sight.open("tasks?status=dead_letter");
    assertShown("[role=cell]", strings.stream().map(text -> text.replace('_', ' ')).toList());
    assertWithin(
        "[role=cell]",
        strings.stream().map(text -> "task type '%s' is not known".formatted(text)).toList());
  }

  @Test
  void causesBodiesAndHeadersOfDeadLetters() {
    sight.open("dead?source=tasks&tab=letters");
    assertWithin(
        "[role=cell]",
        strings.stream().map(text -> "task type '%s' is not known".formatted(text)).toList());
    var letters = mill.get("/api/dead?source=crawl-requests&limit=100").path("dead");
    var left = new ArrayList<>(strings);
    for (var letter : letters) {
      var flock =
          flocks().stream()
              .filter(each -> each.getFirst().equals(letter.path("key").asString()))
              .findFirst();
      if (flock.isEmpty()) continue;
      sight.open("dead/" + encoded(letter.get("id").stringValue()));
      assertShown("main th", flock.get());
      assertShown("main td", flock.get());
      assertWithin("main pre", flock.get());
      left.removeAll(flock.get());
    }
    assertThat(left).isEmpty();
    sight.settle("dead");
  }

  @Test
  void namesNotesAndErrorsOfSpans() {
    for (int flock = 0; flock < flocks().size(); flock++) {
      var shown = begun(flocks().get(flock), 200);
      sight.open("traces/" + traceId(flock));
      assertWithin("main [role=listitem]", shown);
      var told = ForeignPrograms.chosen(page, "main [role=listitem] button", "[aria-label=Span]");
      for (int at = 0; at < shown.size(); at++) {
        assertThat(told.get(at).split(Pattern.quote(shown.get(at)), -1)).hasSizeGreaterThan(3);
      }
    }
  }

  @Test
  void whatTheBoxFinds() {
    larger("/api/find?", "limit=12", "limit=100");
    sight.open("overview");
    var box = page.getByLabel("Find anything");
    for (int flock = 0; flock < flocks().size(); flock++) {
      // The index is a moment behind, and the box asks once.
      mill.awaitTotal("/api/find?limit=1&q=" + flock(flock), flocks().get(flock).size());
      box.fill(flock(flock));
      assertWithin("[role=option]", begun(flocks().get(flock), 290));
    }
  }

  /// Of the failure that the contracts have as their example.
  private static String failedStep() {
    return mill.get("/api/contracts/examples")
        .path("examples")
        .valueStream()
        .filter(example -> example.path("schema").asString().contains("workflow.failed"))
        .map(example -> Json.parse(example.path("value").asString()))
        .map(event -> event.at("/payload/failedStep").asString())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void messagesAsTheyAre() {
    sight.open("servers/kafka/crawl-requests.dead");
    assertShown("main td", strings);
    sight.open("servers/amqp/crawler_queue.dead");
    assertWithin("main pre", strings);
    assertShown("main td", strings);
    sight.open("servers/redis/jobs:dead"); // a text in JSON in JSON
    assertWithin(
        "main pre",
        strings.stream().map(ForeignPrograms::inJson).map(ForeignPrograms::inJson).toList());
    sight.open("contracts");
    assertWithin("main pre", List.of(ForeignPrograms.inJson(failedStep())));
    sight.open("audit?action=pages");
    assertShown(
        "[role=cell]",
        flocks().getFirst().stream()
            .map(text -> "DELETE " + cut("/api/pages?url=" + encoded(text), 499))
            .toList());
  }
}
