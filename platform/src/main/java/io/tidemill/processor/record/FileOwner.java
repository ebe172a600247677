package io.tidemill.processor.record;

import io.tidemill.api.StepCall;
import io.tidemill.contract.workflow.ExecutionPaths;
import java.util.function.UnaryOperator;

/// The task or step that a file belongs to.
///
/// @param id the same on every attempt
/// @param path the gateway's path of a file, by the file's name
public record FileOwner(String id, UnaryOperator<String> path) {
  public static FileOwner task(String id) {
    return new FileOwner(id, name -> ExecutionPaths.taskFile(id, name));
  }

  public static FileOwner step(StepCall call) {
    return new FileOwner(
        call.id(), name -> ExecutionPaths.stepFile(call.workflowId(), call.index(), name));
  }
}
