package io.tidemill.cli;

import io.tidemill.contract.flow.FlowKind;

/// Where the gateway has workflows or tasks.
final class FlowPath {
  private FlowPath() {}

  static String all(FlowKind kind) {
    return "/api/" + kind.topic();
  }

  static String one(FlowKind kind, String id) {
    return all(kind) + "/" + GatewayClient.segment(id);
  }
}
