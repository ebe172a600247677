package io.tidemill.cli.workflow;

import io.tidemill.cli.client.EventPrinter;
import io.tidemill.cli.resource.FollowView;
import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Events of a workflow or task for people: a line each and a progress bar, then the result.
final class ExecutionPrinter implements FollowView {
  private final Terminal terminal;
  private final ExecutionKind kind;
  private final EventPrinter lines;
  private long steps;

  ExecutionPrinter(Terminal terminal, ExecutionKind kind) {
    this.terminal = terminal;
    this.kind = kind;
    lines = new EventPrinter(terminal);
  }

  @Override
  public boolean isLast(String type) {
    return switch (type) {
      case ExecutionEvent.WorkflowCompleted.TYPE,
          ExecutionEvent.WorkflowFailed.TYPE,
          ExecutionEvent.TaskCompleted.TYPE,
          ExecutionEvent.TaskDeadLetter.TYPE ->
          true;
      default -> false;
    };
  }

  @Override
  public Optional<Boolean> success(String lastType) {
    return Optional.of(
        lastType.equals(ExecutionEvent.WorkflowCompleted.TYPE)
            || lastType.equals(ExecutionEvent.TaskCompleted.TYPE));
  }

  @Override
  public boolean finish(JsonNode execution, boolean json) {
    if (json) terminal.json(execution);
    else new ExecutionSummary(terminal, kind).print(execution);
    return execution.path("status").asString("").equals(ExecutionStatus.COMPLETED.wire());
  }

  @Override
  public void print(JsonNode event) {
    var data = event.path("data");
    var type = event.path("type").asString("");
    switch (type) {
      case ExecutionEvent.WorkflowCreated.TYPE -> {
        steps = data.path("steps").size();
        lines.line(event, text(data, "name"));
      }
      case ExecutionEvent.TaskCreated.TYPE -> lines.line(event, text(data, "type"));
      case ExecutionEvent.WorkflowProcessing.TYPE ->
          lines.line(event, step(text(data, "currentStep"), data.path("currentStepIndex")));
      case ExecutionEvent.TaskProcessing.TYPE -> lines.line(event, attempt(data));
      case ExecutionEvent.StepCompleted.TYPE ->
          lines.line(event, step(text(data, "stepName"), data.path("stepIndex")) + took(data));
      case ExecutionEvent.TaskFailed.TYPE -> lines.line(event, again(data));
      case "workflow.step.retrying" ->
          lines.line(
              event,
              "%s; attempt %d at %s"
                  .formatted(
                      Terminal.oneLine(ExecutionSummary.words(data)),
                      data.path("attempt").asLong(0) + 1,
                      text(data, "nextAttemptAt")));
      // The readable result follows.
      default -> {
        if (isLast(type)) lines.line(event, "");
        else lines.print(event);
      }
    }
  }

  private static String text(JsonNode data, String name) {
    return Terminal.oneLine(data.path(name).asString(""));
  }

  private String step(String name, JsonNode index) {
    if (!index.isNumber()) return name;
    var number = index.asLong() + 1;
    return steps > 0 ? "%s (%d of %d)".formatted(name, number, steps) : name + " " + number;
  }

  private static String attempt(JsonNode data) {
    var retries = data.path("retryCount").asLong(0);
    return retries == 0 ? "" : "retry " + retries;
  }

  private static String again(JsonNode data) {
    return "%s; retry %d of %d at %s"
        .formatted(
            Terminal.oneLine(ExecutionSummary.words(data.path("error"))),
            data.path("retryCount").asLong(0),
            data.path("maxRetries").asLong(0),
            text(data, "nextRetryAt"));
  }

  private static String took(JsonNode data) {
    var duration = data.path("duration");
    return duration.isNumber() ? ", " + Amounts.seconds(Duration.ofMillis(duration.asLong())) : "";
  }

  @Override
  public void end() {
    lines.end();
  }
}
