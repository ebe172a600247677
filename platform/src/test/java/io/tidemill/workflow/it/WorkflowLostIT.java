package io.tidemill.workflow.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.support.FaultProxy;
import io.tidemill.support.WorkflowGateway;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A gateway that loses an answer of its store asks again, and takes its own deed for its own.
class WorkflowLostIT {
  @Test
  void aRetryWhoseAnswerWasLostIsARetry(@TempDir Path folder) throws Exception { // C2.4, F07
    try (var gateway = new WorkflowGateway(folder);
        var proxy = new FaultProxy(gateway.redisServer().port())) {
      gateway.start("redis.url=" + proxy.redisUrl(), "flows.doubt-after=1h");
      var id = gateway.task();
      var path = "/api/tasks/" + id;
      gateway.send("PATCH", "/internal/tasks/" + id, "{\"status\":\"dead_letter\"}");
      var lost = new AtomicInteger();
      proxy.breakWith((wire, fromClient, piece) -> {
        if (fromClient || !isReset(piece) || lost.getAndIncrement() > 0) return true;
        wire.reset();
        return false;
      });

      var answer = gateway.post(path + "/retry", "");

      assertThat(lost.get()).isEqualTo(1);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
      assertThat(gateway.records("tasks", id)).hasSize(2);
      assertThat(gateway.post(path + "/retry", "").statusCode()).isEqualTo(409);
    }
  }

  private static boolean isReset(byte[] piece) {
    return new String(piece, UTF_8).contains("\r\nreset\r\n");
  }
}
