package io.tidemill.processor;

import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.TaskCall;
import io.tidemill.api.TaskType;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.node.ObjectNode;

/// Steps and types of tasks made of a few lines.
final class TestSteps {
  private TestSteps() {}

  interface Body {
    StepOutcome run(StepCall call) throws Exception;
  }

  interface TaskBody {
    ObjectNode run(TaskCall call) throws Exception;
  }

  interface Check {
    void of(ObjectNode options) throws WorkFailure;
  }

  private record Made(String name, boolean isRepeatable, Check check, Body body) implements Step {
    @Override
    public void check(ObjectNode options) throws WorkFailure {
      check.of(options);
    }

    @Override
    public StepOutcome run(StepCall call) throws Exception {
      return body.run(call);
    }
  }

  static Step step(String name, Body body) {
    return new Made(name, false, _ -> {}, body);
  }

  /// One that looks at its options before anything runs.
  static Step checked(Step step, Check check) {
    return new Made(step.name(), step.isRepeatable(), check, step::run);
  }

  /// Passes its records on.
  static Step pass(String name) {
    return repeatable(name, call -> done(call, 0));
  }

  /// One whose end need not be written down before the next one starts.
  static Step repeatable(String name, Body body) {
    return new Made(name, true, _ -> {}, body);
  }

  /// `gate`: waits until it is opened.
  static Step gate(CountDownLatch gate) {
    return step(
        "gate",
        call -> {
          gate.await();
          return done(call, 0);
        });
  }

  /// `note`: notes whose step it is.
  static Step note(Collection<String> order) {
    return step(
        "note",
        call -> {
          order.add(call.workflowId());
          return done(call, 0);
        });
  }

  static StepOutcome done(StepCall call, long count) {
    var result = Json.object().put("recordsProcessed", count);
    return new StepOutcome.Done(result, call.input(), Counts.all(count));
  }

  static TaskType type(String name, TaskBody body) {
    return new TaskType() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public ObjectNode run(TaskCall call) throws Exception {
        return body.run(call);
      }
    };
  }
}
