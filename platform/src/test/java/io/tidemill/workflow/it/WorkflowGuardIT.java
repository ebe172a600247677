package io.tidemill.workflow.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.json.Json;
import io.tidemill.support.WorkflowGateway;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.NewExecution;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who is let in, and how many; and what several gateways do at once.
class WorkflowGuardIT {
  private static final String BODY = "{\"name\":\"Pipeline\",\"steps\":[\"validate\"]}";
  private static final String KEY = "Authorization";
  private static final String SECRET = "Bearer secret";

  @Test
  void onlySoManyWaitAndOnlyThoseWithAKeyAreHeard(@TempDir Path folder) throws Exception {
    try (var gateway = new WorkflowGateway(folder)) {
      gateway.start("flows.max-waiting=1", "api.keys=secret", "flows.task-types=fax");
      gateway.start("flows.max-waiting=1", "api.keys=secret", "flows.task-types=fax");

      var first = gateway.post("/api/workflows", BODY, KEY, SECRET, "Idempotency-Key", "k");
      var full = gateway.post("/api/workflows", BODY, KEY, SECRET);
      var known = gateway.post("/api/workflows", BODY, KEY, SECRET, "Idempotency-Key", "k");

      assertThat(first.statusCode()).isEqualTo(202);
      assertThat(full.statusCode()).isEqualTo(429);
      assertThat(full.headers().firstValue("Retry-After")).isPresent();
      assertThat(known.body()).contains("\"idempotent\":true");
      var fax = "{\"type\":\"fax\",\"data\":{}}";
      assertThat(gateway.post("/api/tasks", fax, KEY, SECRET).statusCode()).isEqualTo(202);
      assertThat(gateway.send("GET", "/api/workflows", null).statusCode()).isEqualTo(401);
      var id = Json.parse(first.body()).get("workflowId").stringValue();
      var report = gateway.send("PATCH", "/internal/workflows/" + id, "{\"status\":\"failed\"}");
      assertThat(report.statusCode()).isEqualTo(401);
      publishesOnce(gateway);
      oneThatTheBrokerNeverTakesHoldsUpNobody(gateway);
    }
  }

  private static void oneThatTheBrokerNeverTakesHoldsUpNobody(WorkflowGateway gateway) { // F08, F09
    var store = gateway.store(ExecutionKind.TASK);
    var at = Instant.parse("2026-01-04T01:00:00Z");
    var data = Json.object().put("text", "x".repeat(2_000_000));
    // The first by time and by name.
    var large = new TaskCreated("task-0", "data_export", data, 0, 3, at);
    store.create(NewExecution.of(large, Map.of()), "large", "body");
    var small = new TaskCreated("task-1", "data_export", Json.object(), 0, 3, at);
    store.create(NewExecution.of(small, Map.of()), null, "");

    await().until(() -> store.unpublished() == 0);

    assertThat(gateway.records("tasks", "task-1")).hasSize(1);
    assertThat(gateway.records("tasks", "task-0")).isEmpty();
    var record = store.find("task-0").orElseThrow();
    assertThat(record).containsEntry("status", "failed").containsEntry("place", "done");
    assertThat(record.get("error")).contains("UNPUBLISHED");
    // Whoever comes again with its key was never promised anything.
    var next = new TaskCreated("task-2", "data_export", Json.object(), 0, 3, at);
    assertThat(store.create(NewExecution.of(next, Map.of()), "large", "body"))
        .isEqualTo(new ExecutionStore.Created.New());
  }

  @Test
  void aRetryThatTheBrokerNeverTakesIsRefusedForGood(@TempDir Path folder) throws Exception { // F08
    try (var gateway = new WorkflowGateway(folder)) {
      gateway.start("flows.max-input=4MiB", "http.max-body=4MiB");
      var id = gateway.task();
      gateway.send("PATCH", "/internal/tasks/" + id, "{\"status\":\"dead_letter\"}");
      var body = "{\"data\":{\"text\":\"" + "x".repeat(2_000_000) + "\"}}";

      var refused = gateway.post("/api/tasks/" + id + "/retry", body);

      assertThat(refused.statusCode()).isEqualTo(413);
      assertThat(gateway.store(ExecutionKind.TASK).unpublished()).isZero();
      assertThat(gateway.get("/api/tasks/" + id).at("/error/code").stringValue())
          .isEqualTo("UNPUBLISHED");
      assertThat(gateway.post("/api/tasks/" + id + "/retry", "{\"data\":{}}").statusCode())
          .isEqualTo(202);
    }
  }

  // What was reset and not published is in doubt, and two gateways look for it (C2.4).
  private static void publishesOnce(WorkflowGateway gateway) {
    var store = gateway.store(ExecutionKind.TASK);
    var at = Instant.parse("2026-01-04T01:00:00Z");
    var task = new TaskCreated("task-doubt", "data_export", Json.object(), 0, 3, at);
    store.note(NewExecution.of(task, Map.of()));
    gateway.send(
        "PATCH", "/internal/tasks/task-doubt", "{\"status\":\"dead_letter\"}", KEY, SECRET);
    var told = new ExecutionStore.FollowerEvent(TaskCreated.TYPE, "{}");
    store.reset("task-doubt", told, Map.of("retryCount", "0"), List.of("error"));

    await().until(() -> store.unpublished() == 0);

    assertThat(gateway.records("tasks", "task-doubt")).hasSize(1);
  }
}
