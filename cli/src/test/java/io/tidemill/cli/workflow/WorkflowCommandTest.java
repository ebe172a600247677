package io.tidemill.cli.workflow;

import static io.tidemill.cli.FakeGateway.Canned.events;
import static io.tidemill.cli.FakeGateway.Canned.json;
import static io.tidemill.cli.FakeGateway.Canned.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.cli.CommandRun;
import io.tidemill.cli.FakeGateway;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.json.Json;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// `tidemill workflow` and `tidemill task`.
class WorkflowCommandTest {
  private static final String WF = "wf-38e9351d";
  private static final String TASK = "task-38e9351d";
  private static final String WF_STARTED =
      "{\"workflowId\":\"%s\",\"status\":\"pending\"}".formatted(WF);
  private static final String TASK_STARTED =
      "{\"taskId\":\"%s\",\"status\":\"pending\"}".formatted(TASK);

  private final CommandRun command = new CommandRun();
  private final FakeGateway gateway = command.gateway();

  WorkflowCommandTest() throws IOException {}

  @AfterEach
  void stopTheGateway() {
    command.close();
  }

  private JsonNode sent(String path) {
    return Json.parse(gateway.seen(path).getFirst().body());
  }

  private static String event(String type, String data) {
    return "event: %1$s\ndata: {\"id\":\"1-0\",\"type\":\"%1$s\",\"ts\":1,\"step\":\"processor\",\"data\":%2$s}\n\n"
        .formatted(type, data);
  }

  private Stream<String> lines() {
    return command.out().lines().map(line -> line.replaceFirst("^[0-9:.]{12} ", "T "));
  }

  @Test
  void startsAWorkflow() {
    gateway.on("POST /api/workflows", json(202, WF_STARTED));

    var code =
        command.run(
            "workflow",
            "tides",
            "--steps",
            "validate,store",
            "--priority",
            "high",
            "--input",
            "{\"records\":[1]}",
            "--idempotency-key",
            "k-1");

    assertThat(code).isZero();
    assertThat(sent("/api/workflows"))
        .isEqualTo(
            Json.parse(
                """
                {"name":"tides","steps":["validate","store"],"priority":"high",
                 "input":{"records":[1]}}
                """));
    assertThat(gateway.seen().getFirst().header("idempotency-key")).isEqualTo(Optional.of("k-1"));
    assertThat(command.out()).isEqualTo(WF + "\n");
    assertThat(command.err()).contains("tidemill workflow follow " + WF);
  }

  @Test
  void startsATask() {
    gateway.on("POST /api/tasks", json(202, TASK_STARTED));

    assertThat(command.run("task", "data_export", "{\"a\":1}", "--max-retries", "0", "--json"))
        .isZero();

    assertThat(sent("/api/tasks"))
        .isEqualTo(Json.parse("{\"type\":\"data_export\",\"data\":{\"a\":1},\"maxRetries\":0}"));
    assertThat(command.out()).isEqualTo(TASK_STARTED + "\n");
    assertThat(command.err()).isEmpty();
  }

  @Test
  void saysWhatIsMissing() {
    assertThat(command.run("workflow", "tides")).isEqualTo(ExitCode.USAGE);
    assertThat(command.run("workflow")).isEqualTo(ExitCode.USAGE);
    assertThat(command.run("task")).isEqualTo(ExitCode.USAGE);
    assertThat(command.run("workflow", "tides", "--steps", "a", "--input", "[]"))
        .isEqualTo(ExitCode.USAGE);

    assertThat(command.err()).contains("--steps is missing", "NAME is missing", "TYPE is missing");
    assertThat(gateway.seen()).isEmpty();
  }

  @Test
  void namesTheOptionWhoseJsonIsWrong() {
    assertThat(command.run("workflow", "tides", "--steps", "a", "--input", "{bad"))
        .isEqualTo(ExitCode.USAGE);

    assertThat(command.err())
        .startsWith("tidemill: --input is not valid JSON")
        .endsWith(": expected an object, @FILE or -\n");
  }

  @Test
  void followsAWorkflowToItsSummary() {
    gateway
        .on("POST /api/workflows", json(202, WF_STARTED))
        .on(
            "GET /api/workflows/" + WF + "/events",
            events(
                event("hello", "{}")
                    + event(
                        "workflow.created",
                        "{\"name\":\"tides\",\"steps\":[\"validate\",\"store\"]}")
                    + event(
                        "workflow.processing",
                        "{\"currentStep\":\"validate\",\"currentStepIndex\":0}")
                    + event(
                        "workflow.step.completed",
                        "{\"stepName\":\"validate\",\"stepIndex\":0,\"duration\":3333}")
                    + event("progress", "{\"fraction\":0.5,\"message\":\"half\"}")
                    + event(
                        "workflow.step.completed",
                        "{\"stepName\":\"store\",\"stepIndex\":1,\"duration\":10}")
                    + event("workflow.completed", "{\"summary\":{}}")))
        .on(
            "GET /api/workflows/" + WF,
            json(
                200,
                "{\"status\":\"completed\",\"summary\":{\"totalRecords\":7},"
                    + "\"results\":[{\"stepName\":\"validate\",\"result\":{\"n\":1}},{\"stepName\":\"export\","
                    + "\"result\":{\"object\":\"s3://x/y\",\"url\":\"http://h/y\"}}]}"));

    assertThat(command.run("workflow", "tides", "--steps", "validate,store", "--follow")).isZero();

    assertThat(lines())
        .startsWith(
            "T workflow.created processor tides",
            "T workflow.processing processor validate (1 of 2)",
            "T workflow.step.completed processor validate (1 of 2), 3.3 s",
            "T progress processor  50 % half",
            "T workflow.step.completed processor store (2 of 2), 0.0 s",
            "T workflow.completed processor");
    assertThat(command.out())
        .contains("\"totalRecords\" : 7")
        .endsWith("\nexport: s3://x/y http://h/y\n");
    assertThat(command.err()).startsWith("workflow " + WF + "\n");
  }

  @Test
  void showsWhereTheFilesOfAWorkflowAre() {
    gateway
        .on("GET /api/workflows/" + WF + "/events", events(event("workflow.completed", "{}")))
        .on(
            "GET /api/workflows/" + WF,
            json(
                200,
                "{\"status\":\"completed\",\"results\":[{\"stepName\":\"validate\"},{\"stepName\":\"export\"}],"
                    + "\"files\":[{\"name\":\"y.csv\",\"url\":\"/tidemill/api/workflows/1/steps/1/files/y.csv\","
                    + "\"field\":\"object\",\"step\":1}]}"));

    assertThat(command.run("workflow", "follow", WF)).isZero();

    assertThat(command.out())
        .containsPattern("\nexport: http://[^/]+/tidemill/api/workflows/1/steps/1/files/y\\.csv\n");
  }

  @Test
  void followsATaskToItsDeadLetter() {
    gateway
        .on(
            "GET /api/tasks/" + TASK + "/events",
            events(
                event("task.created", "{\"type\":\"data_export\"}")
                    + event("task.processing", "{\"retryCount\":0}")
                    + event(
                        "task.failed",
                        "{\"retryCount\":1,\"maxRetries\":3,\"nextRetryAt\":\"2026-01-04T01:10:35.000Z\","
                            + "\"error\":{\"code\":\"SMTP_ERROR\",\"message\":\"no\\u001b[2J answer\"}}")
                    + event("task.processing", "{\"retryCount\":1}")
                    + event("task.dead_letter", "{}")))
        .on(
            "GET /api/tasks/" + TASK,
            json(
                200,
                "{\"taskId\":\"%s\",\"status\":\"dead_letter\",\"error\":{\"code\":\"X\",\"message\":\"gone\"}}"
                    .formatted(TASK)));

    assertThat(command.run("task", "follow", TASK)).isEqualTo(ExitCode.FAILED);

    assertThat(lines())
        .containsExactly(
            "T task.created processor data_export",
            "T task.processing processor",
            "T task.failed processor no[2J answer (SMTP_ERROR); retry 1 of 3 at"
                + " 2026-01-04T01:10:35.000Z",
            "T task.processing processor retry 1",
            "T task.dead_letter processor");
    assertThat(command.err())
        .isEqualTo(
            "tidemill: the task failed: gone (X)\nonce the cause is mended: tidemill task retry %s\n",
            TASK);
  }

  @Test
  void handsEventsToScriptsAndEndsAsTheyDo() {
    gateway.on(
        "GET /api/workflows/" + WF + "/events",
        events(event("workflow.processing", "{}") + event("workflow.failed", "{\"a\":1}")));

    assertThat(command.run("workflow", "follow", WF, "--json")).isEqualTo(ExitCode.FAILED);

    assertThat(command.out().lines().map(line -> Json.parse(line).path("type").asString("")))
        .containsExactly("workflow.processing", "workflow.failed");
  }

  @Test
  void listsWhatThereIs() {
    gateway
        .on(
            "GET /api/workflows?status=failed&priority=low&limit=1",
            json(
                200,
                """
                {"workflows":[{"workflowId":"wf-1","name":"tides","status":"failed",
                  "currentStep":"store","createdAt":"2026-01-04T01:09:27.123Z"}],
                 "total":3,"limit":1,"offset":0}
                """))
        .on("GET /api/tasks?limit=50", json(200, "{\"tasks\":[],\"total\":0}"));

    var line = "workflow list --status failed --priority low --limit 1";
    assertThat(command.run(line.split(" "))).isZero();
    assertThat(command.run("task", "list")).isZero();

    assertThat(command.out()).contains("wf-1 ", " failed ", "tides (store)", "no tasks");
    assertThat(command.err()).isEqualTo("2 more; see them with --before 1\n");
  }

  @Test
  void cancelsShowsAndBeginsAgain() {
    gateway
        .on(
            "POST /api/workflows/" + WF + "/cancel",
            json(200, "{\"status\":\"canceled\",\"was\":\"processing\"}"))
        .on("GET /api/workflows/" + WF, json(200, "{\"status\":\"canceled\"}"))
        .on("POST /api/workflows/" + WF + "/retry", json(202, WF_STARTED))
        .on("POST /api/tasks/" + TASK + "/retry", problem(409, "the task is completed"));

    assertThat(command.run("workflow", "cancel", WF, "--reason", "enough")).isZero();
    assertThat(command.run("workflow", "show", WF)).isZero();
    assertThat(command.run("workflow", "retry", WF, "--from-step", "1", "--input", "{\"a\":2}"))
        .isZero();
    assertThat(command.run("task", "retry", TASK, "--data", "{}", "--max-retries", "5"))
        .isEqualTo(ExitCode.FAILED);

    assertThat(command.out()).contains("canceled, was processing", "\"status\" : \"canceled\"", WF);
    assertThat(sent("/api/workflows/" + WF + "/cancel").get("reason").stringValue())
        .isEqualTo("enough");
    assertThat(sent("/api/workflows/" + WF + "/retry"))
        .isEqualTo(Json.parse("{\"fromStep\":1,\"input\":{\"a\":2}}"));
    assertThat(sent("/api/tasks/" + TASK + "/retry"))
        .isEqualTo(Json.parse("{\"data\":{},\"maxRetries\":5}"));
    assertThat(command.err()).contains("tidemill: the task is completed");
  }

  @Test
  void helpHasAnExampleForEach() {
    for (var kind : new String[] {"workflow", "task"}) {
      for (var name : new String[] {"show", "follow", "list", "cancel", "retry"}) {
        command.run(kind, name, "--help");
        assertThat(command.out()).contains("tidemill " + kind + " " + name + " ");
      }
    }
  }
}
