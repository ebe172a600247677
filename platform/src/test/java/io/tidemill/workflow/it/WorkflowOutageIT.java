package io.tidemill.workflow.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.json.Json;
import io.tidemill.support.FaultProxy;
import io.tidemill.support.WorkflowGateway;
import io.tidemill.workflow.NewExecution;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A broker that is cut off: nothing is promised that is not in the topic (F06), and what is not
/// promised does not happen (F07).
class WorkflowOutageIT {
  private static final String BODY = "{\"name\":\"Pipeline\",\"steps\":[\"validate\"]}";

  @TempDir static Path folder;
  private static WorkflowGateway gateway;
  private static FaultProxy proxy;
  private static volatile Cut cut = Cut.NOTHING;

  private enum Cut {
    NOTHING,
    ANSWERS
  }

  @BeforeAll
  static void start() throws Exception {
    gateway = new WorkflowGateway(folder);
    var port = gateway.kafkaServer().port();
    proxy = new FaultProxy(port);
    proxy.breakWith((_, fromClient, piece) -> {
      if (!fromClient) redirect(piece, port, proxy.port());
      return fromClient || cut == Cut.NOTHING;
    });
    gateway.startAt("127.0.0.1:" + proxy.port());
  }

  @AfterAll
  static void stop() throws Exception {
    cut = Cut.NOTHING;
    gateway.close();
    proxy.close();
  }

  // The broker tells its clients where to find it: they must go on passing by here.
  private static void redirect(byte[] piece, int from, int to) {
    var host = "127.0.0.1".getBytes(UTF_8);
    var bytes = ByteBuffer.wrap(piece);
    for (int i = 0; i + host.length + 4 <= piece.length; i++) {
      var found = true;
      for (int k = 0; k < host.length && found; k++) found = piece[i + k] == host[k];
      if (found && bytes.getInt(i + host.length) == from) bytes.putInt(i + host.length, to);
    }
  }

  @Test
  void whatWasNotConfirmedIsNotPromisedAndNeverRuns() { // F06, F07, F18
    var key = UUID.randomUUID().toString();
    gateway.workflow("a"); // the way is known
    cut = Cut.ANSWERS;

    var first =
        CompletableFuture.supplyAsync(
            () -> gateway.post("/api/workflows", BODY, "Idempotency-Key", key));
    await().until(() -> gateway.store(ExecutionKind.WORKFLOW).unpublished() == 1);
    var meanwhile = gateway.post("/api/workflows", BODY, "Idempotency-Key", key);
    var other = gateway.post("/api/workflows", BODY.replace("line", "e"), "Idempotency-Key", key);
    var refused = first.join();
    cut = Cut.NOTHING;

    assertThat(meanwhile.statusCode()).as(meanwhile.body()).isEqualTo(409);
    assertThat(meanwhile.headers().firstValue("Retry-After")).contains("1");
    assertThat(meanwhile.body()).doesNotContain("workflowId");
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    var failed = gateway.get("/api/workflows?status=failed").at("/workflows/0");
    assertThat(failed.at("/error/code").stringValue()).isEqualTo("UNPUBLISHED");
    var id = failed.get("workflowId").stringValue();
    // The broker had it, only its answer was lost: a processor that reads it leaves it alone.
    assertThat(gateway.records("workflows", id)).isNotEmpty();
    var record = gateway.store(ExecutionKind.WORKFLOW).find(id).orElseThrow();
    var flow = NewExecution.of(ExecutionRecords.workflowCreated(record), Map.of());
    assertThat(gateway.queue(ExecutionKind.WORKFLOW).admit(flow, 0, 0)).isFalse();
    // Whoever tries again as told gets a new one, with the same key.
    await()
        .until(
            () -> gateway.post("/api/workflows", BODY, "Idempotency-Key", key).statusCode() == 202);
    var again = gateway.post("/api/workflows", BODY, "Idempotency-Key", key);
    assertThat(Json.parse(again.body()).get("workflowId").stringValue()).isNotEqualTo(id);
  }
}
