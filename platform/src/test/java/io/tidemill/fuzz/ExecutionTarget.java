package io.tidemill.fuzz;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionRecords;
import java.time.Instant;

/// Events of StreamOps from anybody, and bodies of its HTTP calls: every input has an answer, and
/// what was read can be written and read again.
public final class ExecutionTarget {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27.123Z");

  private ExecutionTarget() {}

  public static void fuzzerTestOneInput(byte[] body) {
    if (ExecutionCodec.decode(body) instanceof Decoded.Message(var message)
        && !(message.event() instanceof ExecutionEvent.Unknown)) {
      if (!(ExecutionCodec.decode(ExecutionCodec.encode(message)) instanceof Decoded.Message)) {
        throw new IllegalStateException("what was read can't be read again");
      }
    }
    if (ExecutionForms.workflow(body, NOW) instanceof Decoded.Message(var created)
        && !ExecutionRecords.workflowCreated(ExecutionRecords.fields(created)).equals(created)) {
      throw new IllegalStateException("what was kept is another workflow");
    }
    if (ExecutionForms.task(body, ExecutionRecords.TASK_TYPES, NOW)
            instanceof Decoded.Message(var created)
        && !ExecutionRecords.taskCreated(ExecutionRecords.fields(created)).equals(created)) {
      throw new IllegalStateException("what was kept is another task");
    }
    for (var kind : ExecutionKind.values()) {
      ExecutionForms.again(kind, body);
      ExecutionForms.report(kind, body);
    }
    ExecutionForms.reason(body);
  }
}
