package io.tidemill.llm;

import static io.tidemill.support.FakeLlm.answer;
import static io.tidemill.support.FakeLlm.tokens;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.tidemill.llm.Completion.Usage;
import io.tidemill.llm.LlmException.Kind;
import io.tidemill.llm.ModelProbe.ProbeResult;
import io.tidemill.llm.ModelProbe.State;
import io.tidemill.support.FakeLlm;
import io.tidemill.support.FakeLlm.Script;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A model behind a server that does well, badly, or nothing at all (C3.11, F33).
class LanguageModelIT {
  private static final FakeLlm server = new FakeLlm();
  private static final Prompt PROMPT = Prompt.of("Be brief.", "Hello?");

  /// What was heard: each try's text.
  private final Map<Integer, StringBuilder> heard = new HashMap<>();

  private final List<String> notes = new CopyOnWriteArrayList<>();
  private final List<String> waits = new CopyOnWriteArrayList<>();

  private final LanguageModel.Listener listener =
      new LanguageModel.Listener() {
        @Override
        public void token(String text, int take) {
          heard.computeIfAbsent(take, _ -> new StringBuilder()).append(text);
        }

        @Override
        public void note(String message) {
          notes.add(message);
        }

        @Override
        public void waits() {
          waits.add("waits");
        }

        @Override
        public void resumes() {
          waits.add("goes on");
        }
      };

  @BeforeEach
  void forget() {
    server.reset();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private Completion ask(String... overrides) throws LlmException, InterruptedException {
    try (var model = server.model(overrides)) {
      return model.ask(PROMPT, model.timeout(), listener);
    }
  }

  private static LlmException failure(ThrowingCallable ask) {
    return catchThrowableOfType(LlmException.class, ask);
  }

  @Test
  void streamsAnAnswerAndCounts() throws Exception { // C3.11
    server.then(tokens("Hel", "lo ", "🌊"));

    var answer = ask("llm.temperature=0.5", "llm.max-tokens=99");

    assertThat(answer)
        .isEqualTo(new Completion("Hello 🌊", "fake-1", "stop", new Usage(7, 3, 10), 1));
    assertThat(heard.get(1)).hasToString("Hello 🌊");
    var seen = server.seen().getFirst();
    assertThat(seen.path()).isEqualTo("/v1/chat/completions");
    assertThat(seen.headers())
        .containsEntry("authorization", "Bearer sk-secret")
        .doesNotContainKey("upgrade");
    assertThat(seen.body())
        .isEqualTo(
            "{\"model\":\"small\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
                + "\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},"
                + "{\"role\":\"user\",\"content\":\"Hello?\"}],\"temperature\":0.5,\"max_tokens\":99}");
  }

  @Test
  void aStreamCutAnywhereIsNeverAnAnswer() throws Exception { // F33
    var events = FakeLlm.events("stop", "wh", "öle");
    var stream =
        events.stream().map(event -> "data: " + event + "\n\n").collect(Collectors.joining());
    var bytes = stream.getBytes(UTF_8);
    // The last byte that says why it ended is the second line break behind the reason.
    var reason = stream.indexOf("\n\n", stream.indexOf("\"stop\"")) + 2;
    var finished = stream.substring(0, reason).getBytes(UTF_8).length;
    try (var model = server.model()) {
      // An end of the connection is an end of the body here: nothing but the text tells of the cut.
      for (int at = 0; at < bytes.length; at++) {
        var begin = Arrays.copyOf(bytes, at);
        server.reset();
        heard.clear();
        server.then(
            call ->
                call.raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n").raw(begin),
            tokens("wh", "öle"));

        var answer = model.ask(PROMPT, model.timeout(), listener);

        assertThat(answer.text()).as("cut at %d", at).isEqualTo("whöle");
        assertThat(heard.get(answer.tries())).hasToString("whöle");
        assertThat(answer.tries()).as("cut at %d", at).isEqualTo(at < finished ? 2 : 1);
      }
    }
  }

  @Test
  void aConnectionThatBreaksAfterAnyChunkIsTriedAgain() throws Exception { // F33
    var events = FakeLlm.events("stop", "a", "b", "c");
    try (var model = server.model()) {
      for (int count = 0; count < events.size(); count++) {
        var some = events.subList(0, count);
        server.reset();
        server.then(
            call -> {
              call.head("text/event-stream");
              for (var event : some) call.event(event);
              call.cut();
            },
            tokens("a", "b", "c"));

        assertThat(model.ask(PROMPT, model.timeout(), listener).text())
            .as("after %d", count)
            .isEqualTo("abc");
      }
    }
  }

  @Test
  void doneWithoutAReasonIsACut() { // F33
    Script script =
        call -> {
          call.head("text/event-stream");
          call.token("half").event("[DONE]").end();
        };
    server.then(script, script, script);

    var failed = failure(this::ask);

    assertThat(failed.kind()).isEqualTo(Kind.LLM_UNAVAILABLE);
    assertThat(failed)
        .hasMessageContaining("broke off its answer after 4 characters")
        .hasMessageEndingWith("(after 3 tries)");
    assertThat(heard.keySet()).containsExactly(1, 2, 3);
    assertThat(notes).hasSize(2).allMatch(note -> note.contains("broke off its answer"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"length", "content_filter"})
  void returnsTheFinishReason(String reason) throws Exception {
    server.then(call -> {
      call.head("text/event-stream");
      call.token("so far").finish(reason);
    });

    var answer = ask();

    assertThat(answer.finishReason()).isEqualTo(reason);
    assertThat(answer.isTruncated()).isEqualTo(reason.equals("length"));
  }

  @Test
  void readsWhatOtherServersSend() throws Exception {
    // Comments, other line ends, data over lines, empty reasons, a role alone, no usage.
    server.then(call ->
        call.head("text/event-stream; charset=utf-8")
            .piece(
                ": wait\r\n\r\ndata:{\"choices\":[{\"delta\":{\"role\":\"assistant\"},"
                    .getBytes(UTF_8))
            .piece("\r\ndata: \"finish_reason\":\"\"}]}\r\r".getBytes(UTF_8))
            .event(
                "{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"parts\"}]}}]}")
            .event("{\"choices\":[{\"delta\":{\"content\":null,\"reasoning_content\":\"hm\"}}]}")
            .event("{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}")
            .end());

    assertThat(ask()).isEqualTo(new Completion("parts", "small", "stop", null, 1));
  }

  @Test
  void readsAnAnswerThatIsNotStreamed() throws Exception {
    var words = "x".repeat(5_000) + "🌊";
    server.then(
        answer(
            200,
            "{\"model\":\"m\",\"choices\":[{\"message\":{\"content\":\"%s\"},\"finish_reason\":\"stop\"}],"
                    .formatted(words)
                + "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}",
            "Content-Type: application/json"));

    assertThat(ask()).isEqualTo(new Completion(words, "m", "stop", new Usage(1, 2, 3), 1));
    assertThat(heard.get(1)).hasToString(words);
  }

  @Test
  void waitsAsLongAsTheServerAsks() throws Exception {
    server.then(
        answer(429, "{\"error\":{\"message\":\"slow down\"}}", "Retry-After: 1"),
        answer(503, "busy", "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT"),
        tokens("ok"));

    var began = System.nanoTime();
    assertThat(ask().tries()).isEqualTo(3);

    assertThat(System.nanoTime() - began).isGreaterThan(1_000_000_000L);
    assertThat(notes.getFirst()).contains("answered 429: slow down; try 2 in 1 s");
    assertThat(notes.getLast()).contains("answered 503: busy; try 3 in 0 s");
  }

  @Test
  void aRefusalIsOneEvenIfItsWordsBreakOff() {
    server.then(call -> call.raw("HTTP/1.1 401 No\r\nContent-Length: 99\r\n\r\n{\"err"));

    assertThat(failure(this::ask)).hasMessageContaining("check llm.key (401)");
    assertThat(server.seen()).hasSize(1);
  }

  @Test
  void doesNotWaitForWhatWouldBeTooLate() {
    server.then(answer(429, "", "Retry-After: 3600"));

    assertThat(failure(this::ask))
        .hasMessageContaining("another try in 3600 s would be too late (llm.timeout)");
  }

  static Stream<Arguments> garbage() {
    return Stream.of(
        Arguments.of("not JSON", "data: {nonsense\n\n", "not valid JSON"),
        Arguments.of("no object", "data: 7\n\n", "not a JSON object"),
        Arguments.of("choices", "data: {\"choices\":{}}\n\n", "choices are no list"),
        Arguments.of("content", "data: {\"choices\":[{\"delta\":{\"content\":7}}]}\n\n", "no text"),
        Arguments.of("no events", "hello\n\n", "broke off its answer after 0"),
        Arguments.of("nothing", "", "broke off its answer after 0"),
        Arguments.of("endless line", "data: " + "x".repeat(1_100_000), "has no end"),
        Arguments.of(
            "an error",
            "data: {\"error\":{\"message\":\"out of memory\",\"code\":500}}\n\n",
            "broke off with an error: out of memory"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("garbage")
  void saysWhatIsWrongWithGarbage(String name, String body, String why) {
    var script = answer(200, body, "Content-Type: text/event-stream");
    server.then(script, script, script);

    assertThat(failure(this::ask))
        .hasMessageContaining(why)
        .hasMessageEndingWith("(after 3 tries)");
  }

  @ParameterizedTest
  @CsvSource({
    "400, LLM_REFUSED, check the payload and the model 'small' (400): no *** here",
    "401, LLM_REFUSED, does not accept the key; check llm.key (401): no *** here",
    "404, LLM_REFUSED, check llm.url and the model 'small' (404): no *** here",
    "302, LLM_REFUSED, check llm.url (302): no *** here",
  })
  void doesNotInsistOnWhatIsRefused(int status, Kind kind, String why) {
    server.then(
        answer(status, "{\"error\":{\"message\":\"no sk-secret\\nhere\"}}", "Location: /x"));

    var failed = failure(this::ask);

    assertThat(failed.kind()).isEqualTo(kind);
    assertThat(failed).hasMessageContaining(why);
    assertThat(server.seen()).hasSize(1);
  }

  @Test
  void anErrorInTheStreamMayBePermanent() {
    server.then(
        answer(
            200,
            "data: {\"error\":{\"message\":\"too many tokens\",\"code\":400}}\n\n",
            "Content-Type: text/event-stream"));

    assertThat(failure(this::ask).kind()).isEqualTo(Kind.LLM_REFUSED);
  }

  @Test
  void aWebPageIsNoAnswer() {
    server.then(answer(200, "<html>", "Content-Type: text/html"));

    assertThat(failure(this::ask)).hasMessageContaining("llm.url must be the base of the API");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/plain"})
  void quotesAWebPageThatIsCalledSomethingElse(String type) {
    var page =
        answer(200, "<html>\n\u001b[2J sk-secret " + "🌊".repeat(99), "Content-Type: " + type);
    server.then(page, page, page);

    assertThat(failure(this::ask))
        .hasMessage(
            "llm.url (%s) answers what can't be read (not valid JSON at line 1, column 1): <html> [2J *** %s… (after 3 tries)"
                .formatted(server.url().replaceAll("http://|/v1", ""), "🌊".repeat(65)));
  }

  @Test
  void anAnswerHasAnEnd() {
    server.then(tokens("x".repeat(1_000), "x".repeat(1_000)));

    assertThat(failure(() -> ask("llm.max-answer=1KiB")).kind()).isEqualTo(Kind.LLM_TOO_LARGE);
  }

  @Test
  void reportsAnUnreachableServer() {
    var away = new FakeLlm();
    away.close();

    var failed = failure(() -> ask("llm.url=" + away.url()));

    assertThat(failed.kind()).isEqualTo(Kind.LLM_UNAVAILABLE);
    assertThat(failed).hasMessageContaining("is not reachable (after 3 tries)");
  }

  // On a machine that stalls, good answers are late as well: there are enough of them.
  private static Script[] goodAnswers() {
    return Collections.nCopies(20, tokens("ok")).toArray(Script[]::new);
  }

  @Test
  void triesAgainWhenTheFirstTokenDoesNotCome() throws Exception {
    server.then(FakeLlm.Call::awaitGone, call -> call.head("text/event-stream").awaitGone());
    server.then(goodAnswers());

    var answer = ask("llm.first-token=150ms", "llm.retries=20");

    assertThat(answer.tries()).isGreaterThan(2);
    assertThat(notes).allMatch(note -> note.contains("was silent for 0.15 s (llm.first-token)"));
  }

  @Test
  void triesAgainWhenAnAnswerFallsSilent() throws Exception {
    // What is no whole event is no sign of life.
    server.then(call -> {
      call.head("text/event-stream").token("and then");
      while (true) {
        call.piece(": still here\n".getBytes(UTF_8));
        Thread.sleep(10);
      }
    });
    server.then(goodAnswers());

    assertThat(ask("llm.silence=150ms", "llm.retries=20").text()).isEqualTo("ok");
    assertThat(notes.getFirst()).contains("was silent for 0.15 s (llm.silence)");
  }

  @Test
  void aSlowDripEndsInTime() {
    server.then(call -> {
      call.head("text/event-stream");
      for (int i = 0; i < 1_000; i++) {
        call.token("drip ");
        Thread.sleep(10);
      }
    });

    var failed = failure(() -> ask("llm.timeout=300ms"));

    assertThat(failed.kind()).isEqualTo(Kind.LLM_TIMEOUT);
    assertThat(failed).hasMessageContaining("longer than 0.3 s (llm.timeout)");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptClosesTheConnection(boolean begun) throws Exception {
    var asked = new CountDownLatch(1);
    var gone = new CountDownLatch(1);
    server.then(call -> {
      if (begun) call.head("text/event-stream").token("once");
      asked.countDown();
      call.awaitGone();
      gone.countDown();
    });
    var ended = new ArrayList<Class<?>>();
    var asker =
        Thread.ofVirtual()
            .start(() -> {
              try {
                ask();
              } catch (Exception stopped) {
                ended.add(stopped.getClass());
              }
            });

    asked.await();
    if (begun) await().until(() -> heard.containsKey(1));
    asker.interrupt();

    gone.await();
    asker.join();
    assertThat(ended).containsExactly(InterruptedException.class);
  }

  @Test
  void callsTakeTurns() throws Exception {
    var second = new CountDownLatch(1);
    try (var model = server.model("llm.max-calls=1")) {
      server.then(
          call -> {
            second.await();
            tokens("one").play(call);
          },
          tokens("two"));
      var first = new ArrayList<String>();
      var asker = Thread.ofVirtual().start(() -> first.add(text(model)));
      await().until(() -> server.seen().size() == 1);
      var other = Thread.ofVirtual().start(() -> text(model));
      await().until(() -> !waits.isEmpty());
      assertThat(waits).containsExactly("waits");

      second.countDown();

      asker.join();
      other.join();
      assertThat(first).containsExactly("one");
      assertThat(notes).singleElement().asString().contains("waits for its turn");
      assertThat(waits).containsExactly("waits", "goes on");
    }
  }

  private String text(LanguageModel model) {
    try {
      return model.ask(PROMPT, model.timeout(), listener).text();
    } catch (Exception failed) {
      return String.valueOf(failed);
    }
  }

  @Test
  void saysWhichSettingIsMissing() {
    assertThat(failure(() -> ask("llm.url=")))
        .hasMessageContaining("llm.url is not set, such as -s llm.url=http://127.0.0.1:11434/v1");
    assertThat(failure(() -> ask("llm.model="))).hasMessageContaining("llm.model is not set");
    assertThat(failure(() -> ask("llm.url=", "llm.model=")))
        .hasMessageEndingWith(
            "llm.url and llm.model are not set,"
                + " such as -s llm.url=http://127.0.0.1:11434/v1 -s llm.model=NAME");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "llm.url=localhost:1234",
        "llm.url=http://u:p@h/v1",
        "llm.url=http://h/v1/chat/completions",
        "llm.key=a b",
        "llm.temperature=3",
        "llm.max-answer=1"
      })
  void refusesSettingsThatCanNotWork(String setting) {
    assertThatThrownBy(() -> server.config(setting))
        .hasMessageContaining(setting.substring(0, setting.indexOf('=')));
  }

  static Stream<Arguments> looks() {
    var models = answer(200, "{\"data\":[{\"id\":\"small\"},{\"id\":\"large:latest\"}]}");
    return Stream.of(
        Arguments.of("", models, State.WELL, "answers with 2 models, small among them", ""),
        Arguments.of(
            "llm.model=large", models, State.WELL, "answers with 2 models, large among them", ""),
        Arguments.of(
            "llm.model=huge",
            models,
            State.DOUBTFUL,
            "answers with 2 models, huge is not among them",
            "set llm.model to one that the server has: small, large:latest"),
        Arguments.of(
            "llm.model=",
            answer(200, "{\"data\":[{\"id\":\"sm\\u001ball\"}]}"),
            State.DOUBTFUL,
            "answers with 1 model; llm.model is not set",
            "set llm.model to one that the server has: sm all"),
        Arguments.of(
            "",
            answer(401, "{\"error\":{\"message\":\"no sk-secret\"}}"),
            State.UNUSABLE,
            "answered 401: no ***",
            "check llm.key"),
        Arguments.of(
            "llm.url=" + server.url().replace("/v1", ""),
            answer(404, "<html>"),
            State.UNUSABLE,
            "answered 404",
            "does llm.url lack /v1?"),
        Arguments.of(
            "",
            answer(404, "404 page not found"),
            State.UNUSABLE,
            "answered 404: 404 page not found",
            "check that llm.url is the base of the API"),
        Arguments.of(
            "llm.url=" + server.url().replace("v1", ""),
            answer(200, "hello"),
            State.UNUSABLE,
            "answers, but not with JSON",
            "does llm.url lack /v1?"));
  }

  @ParameterizedTest
  @MethodSource("looks")
  void probesWhetherTheServerHasTheModel(
      String setting, Script script, State state, String what, String advice) throws Exception {
    server.then(script);

    var config = setting.isEmpty() ? server.config() : server.config(setting);

    assertThat(ModelProbe.probe(config)).isEqualTo(new ProbeResult(state, what, advice));
    assertThat(server.seen().getFirst().path()).endsWith("/models");
  }

  @Test
  void probesWhetherTheServerRuns() throws Exception {
    var away = new FakeLlm();
    away.close();

    var look = ModelProbe.probe(server.config("llm.url=" + away.url()));

    assertThat(look.state()).isEqualTo(State.UNUSABLE);
    assertThat(look.what()).startsWith("not reachable: nobody answers at 127.0.0.1:");
    assertThat(look.advice()).contains("that the server runs");
  }
}
