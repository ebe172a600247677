package io.tidemill.cli.workflow;

import io.tidemill.cli.client.GatewayClient;
import io.tidemill.contract.workflow.ExecutionKind;

/// Where the gateway has workflows or tasks.
final class ExecutionPath {
  private ExecutionPath() {}

  static String all(ExecutionKind kind) {
    return "/api/" + kind.topic();
  }

  static String one(ExecutionKind kind, String id) {
    return all(kind) + "/" + GatewayClient.segment(id);
  }
}
