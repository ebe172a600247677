package io.tidemill.fuzz;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent;
import io.tidemill.contract.flow.FlowForms;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowRecords;
import java.time.Instant;

/// Events of StreamOps from anybody, and bodies of its HTTP calls: every input has an answer, and
/// what was read can be written and read again.
public final class FlowTarget {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27.123Z");

  private FlowTarget() {}

  public static void fuzzerTestOneInput(byte[] body) {
    if (FlowCodec.decode(body) instanceof Decoded.Message(var message)
        && !(message.event() instanceof FlowEvent.Unknown)) {
      if (!(FlowCodec.decode(FlowCodec.encode(message)) instanceof Decoded.Message)) {
        throw new IllegalStateException("what was read can't be read again");
      }
    }
    if (FlowForms.workflow(body, NOW) instanceof Decoded.Message(var created)
        && !FlowRecords.workflowCreated(FlowRecords.fields(created)).equals(created)) {
      throw new IllegalStateException("what was kept is another workflow");
    }
    if (FlowForms.task(body, FlowRecords.TASK_TYPES, NOW) instanceof Decoded.Message(var created)
        && !FlowRecords.taskCreated(FlowRecords.fields(created)).equals(created)) {
      throw new IllegalStateException("what was kept is another task");
    }
    for (var kind : FlowKind.values()) {
      FlowForms.again(kind, body);
      FlowForms.report(kind, body);
    }
    FlowForms.reason(body);
  }
}
