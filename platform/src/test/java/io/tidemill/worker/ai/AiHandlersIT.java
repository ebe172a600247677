package io.tidemill.worker.ai;

import static io.tidemill.support.FakeLlm.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemill.api.JobFailure;
import io.tidemill.llm.LanguageModel;
import io.tidemill.support.FakeLlm;
import io.tidemill.support.RecordedCall;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What `chat`, `plan` and `code` make of payloads and answers (C3.11).
class AiHandlersIT {
  private static final FakeLlm server = new FakeLlm();
  private static final LanguageModel model = server.model();
  private static final String PLAN = "{\"name\":\"Index it\",\"steps\":[\"index\"]}";

  @BeforeEach
  void forget() {
    server.reset();
  }

  @AfterAll
  static void stop() {
    model.close();
    server.close();
  }

  private static JsonNode handle(String task, RecordedCall job) throws Exception {
    for (var handler : AiHandlers.of(model)) {
      if (handler.task().equals(task)) return handler.handle(job);
    }
    throw new AssertionError(task);
  }

  private static JobFailure failure(String task, String payload) {
    return catchThrowableOfType(JobFailure.class, () -> handle(task, new RecordedCall(payload)));
  }

  @Test
  void answersAConversation() throws Exception {
    server.then(tokens("It ", "is."));
    var job =
        new RecordedCall(
            """
            {"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},
             {"role":"user","content":"c"}],"system":"s","temperature":0,"max_tokens":5,"model":"big"}\
            """);

    var result = handle("chat", job);

    assertThat(result)
        .hasToString(
            "{\"model\":\"fake-1\",\"finish_reason\":\"stop\",\"truncated\":false,\"tries\":1,"
                + "\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2,\"total_tokens\":9},"
                + "\"text\":\"It is.\"}");
    assertThat(String.join("", job.said()).replace("1:", "")).isEqualTo("It is.");
    var asked = server.seen().getFirst().json();
    assertThat(asked.path("messages").valueStream().map(one -> one.path("role").stringValue()))
        .containsExactly("system", "user", "assistant", "user");
    assertThat(asked.path("model").stringValue()).isEqualTo("big");
    assertThat(asked.path("temperature").doubleValue()).isZero();
    assertThat(asked.path("max_tokens").intValue()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chat | {} | payload must have either messages or prompt",
        "chat | {\"prompt\":\"x\",\"messages\":[]} | payload must have either messages or prompt",
        "chat | {\"prompt\":\"x\",\"text\":\"y\"} | payload must have either messages or prompt",
        "chat | {\"prompt\":\"\"} | payload.prompt must be a text that is not empty",
        "chat | {\"messages\":[]} | payload.messages must be a list that is not empty",
        "chat | {\"messages\":[7]} | payload.messages[0] must be a JSON object",
        "chat | {\"messages\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"God\",\"content\":\"x\"}]} | payload.messages[1].role must be one of system, user, assistant",
        "chat | {\"messages\":[{\"role\":\"user\"}]} | payload.messages[0].content must be a text",
        "chat | {\"messages\":[{\"role\":\"user\",\"content\":\"\",\"x\":1}]} | payload.messages[0].x is not known",
        "chat | {\"prompt\":\"x\",\"temperature\":3} | payload.temperature must be a number from 0 to 2",
        "chat | {\"prompt\":\"x\",\"max_tokens\":1.5} | payload.max_tokens must be a whole number",
        "chat | {\"prompt\":\"x\",\"stream\":true} | payload.stream is not known: expected max_tokens, messages",
        "chat | {\"_raw\":\"x\"} | payload._raw is not known",
        "chat | 7 | payload must be a JSON object",
        "plan | {} | payload.goal must be a text that is not empty; it is missing",
        "plan | {\"goal\":\"x\",\"steps\":[]} | payload.steps must be a JSON object",
        "plan | {\"goal\":\"x\",\"steps\":{\"a\":1}} | payload.steps.a must be a text",
        "code | {} | payload must have either task or prompt",
        "code | {\"task\":\"x\",\"files\":[{\"name\":\"a\"}]} | payload.files[0].content must be a text",
      })
  void namesTheFieldThatIsWrong(String task, String payload, String why) {
    var failed = failure(task, payload);

    assertThat(failed.code()).isEqualTo("BAD_PAYLOAD");
    assertThat(failed).hasMessageContaining(why);
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void readsATextAsThePrompt() throws Exception { // C3.11
    server.then(tokens("It is."));

    handle("chat", new RecordedCall("{\"text\":\"Is it?\"}"));

    assertThat(server.seen().getFirst().json().at("/messages/0/content").stringValue())
        .isEqualTo("Is it?");
  }

  @Test
  void plansAWorkflow() throws Exception {
    server.then(tokens("```json\n", PLAN, "\n```"));

    var result = handle("plan", new RecordedCall("{\"goal\":\"find it\",\"context\":\"a site\"}"));

    assertThat(result.path("workflow")).hasToString(PLAN);
    assertThat(server.seen().getFirst().json().at("/messages/1/content").stringValue())
        .isEqualTo("Goal: find it\n\nContext:\na site");
  }

  @Test
  void asksOnceMoreWhenAPlanCanNotBeUsed() throws Exception {
    server.then(tokens("{\"name\":\"abc\",\"steps\":[\"fly\"]}"), tokens(PLAN));
    var job = new RecordedCall("{\"goal\":\"find it\"}");

    var result = handle("plan", job);

    assertThat(result.path("workflow")).hasToString(PLAN);
    assertThat(result.path("tries").intValue()).isEqualTo(2);
    assertThat(result.at("/usage/prompt_tokens").intValue()).isEqualTo(14);
    assertThat(job.said()).hasSize(3);
    assertThat(job.said().get(0)).startsWith("1:");
    assertThat(job.said().get(1)).startsWith("log:the plan can't be used").contains("'fly'");
    assertThat(job.said().get(2)).startsWith("2:");
    var again = server.seen().getLast().json().path("messages");
    assertThat(again.valueStream().map(one -> one.path("role").stringValue()))
        .containsExactly("system", "user", "assistant", "user");
    assertThat(again.path(3).path("content").stringValue()).contains("'fly', which is not known");
  }

  @Test
  void doesNotAskAThirdTime() {
    server.then(tokens("no"), tokens("still no"), tokens(PLAN));

    var failed = failure("plan", "{\"goal\":\"find it\"}");

    assertThat(failed.code()).isEqualTo("INVALID_PLAN");
    assertThat(failed).hasMessageContaining("no JSON object with steps");
    assertThat(server.seen()).hasSize(2);
  }

  @Test
  void writesFiles() throws Exception {
    server.then(tokens("Here:\n```python a.py\n", "x = 1\n", "```\nThat's it."));
    var job =
        new RecordedCall(
            """
            {"task":"write it","language":"python",
             "files":[{"name":"b.md","language":"markdown","content":"```\\nx\\n```"}]}\
            """);

    var result = handle("code", job);

    assertThat(result.path("files"))
        .hasToString("[{\"name\":\"a.py\",\"language\":\"python\",\"content\":\"x = 1\\n\"}]");
    assertThat(result.path("text").stringValue()).isEqualTo("Here:\nThat's it.");
    assertThat(server.seen().getFirst().json().at("/messages/1/content").stringValue())
        .isEqualTo(
            "write it\n\nLanguage: python\n\nThese files are there:\n\n"
                + "````markdown b.md\n```\nx\n```\n````");
  }

  @Test
  void endsAsErrorWhenTheModelIsAway() {
    server.then(FakeLlm.answer(401, "{}"));

    assertThat(failure("chat", "{\"prompt\":\"x\"}").code()).isEqualTo("LLM_REFUSED");
  }
}
