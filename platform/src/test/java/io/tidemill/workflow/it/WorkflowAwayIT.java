package io.tidemill.workflow.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.support.FaultProxy;
import io.tidemill.support.WorkflowGateway;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A gateway whose broker or store is not there says so, and promises nothing (F06).
class WorkflowAwayIT {
  private static final String TASK = "{\"type\":\"data_export\",\"data\":{}}";

  @Test
  void withoutABrokerNothingIsPromised(@TempDir Path folder) throws Exception {
    try (var gateway = new WorkflowGateway(folder);
        var proxy = new FaultProxy(gateway.kafkaServer().port())) {
      proxy.breakWith((_, _, _) -> false);
      gateway.startAt("127.0.0.1:" + proxy.port());

      var answer = gateway.post("/api/tasks", TASK);

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(gateway.store(ExecutionKind.TASK).unpublished()).isZero();
      var id = gateway.get("/api/tasks").at("/tasks/0/taskId").stringValue();
      assertThat(gateway.records("tasks", id)).isEmpty();

      gateway.redisServer().close();
      assertThat(gateway.post("/api/tasks", TASK).statusCode()).isEqualTo(503);
    }
  }
}
