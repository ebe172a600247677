package io.tidemill.contract.workflow;

import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.longs;
import static org.quicktheories.generators.SourceDSL.strings;

import io.tidemill.contract.workflow.ExecutionEvent.StepCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.TaskDeadLetter;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.TaskProcessing;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowProcessing;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.quicktheories.core.Gen;
import tools.jackson.databind.node.ObjectNode;

/// Events of all ten types with anything in them that we could ever write.
final class SampleEvents {
  private static final long LATEST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  private final Random random;
  private final String text;

  private SampleEvents(Random random, String text) {
    this.random = random;
    this.text = text;
  }

  static Gen<ExecutionMessage> any() {
    return strings()
        .allPossible()
        .ofLengthBetween(1, 20)
        .zip(
            longs().all(),
            integers().between(0, 9),
            (text, seed, which) -> new SampleEvents(new Random(seed), text).message(which));
  }

  private ExecutionMessage message(int which) {
    return new ExecutionMessage(
        "evt-" + text, time(), event(which), maybe() ? object() : Json.object());
  }

  private ExecutionEvent event(int which) {
    return switch (which) {
      case 0 -> new WorkflowCreated(text, text, steps(), priority(), time(), input());
      case 1 -> new WorkflowProcessing(text, time(), text, count());
      case 2 -> new StepCompleted(text, text, count(), time(), millis(), object());
      case 3 -> new WorkflowCompleted(text, time(), millis(), count(), object());
      case 4 -> new WorkflowFailed(text, time(), text, count(), error());
      case 5 -> new TaskCreated(text, type(), object(), count(), count(), time());
      case 6 -> new TaskProcessing(text, time(), count());
      case 7 -> new TaskCompleted(text, time(), millis(), object());
      case 8 -> new TaskFailed(text, time(), count(), count(), error(), time());
      default -> new TaskDeadLetter(text, original(), count(), count(), error(), time());
    };
  }

  private boolean maybe() {
    return random.nextBoolean();
  }

  private Instant time() {
    return Instant.ofEpochMilli(random.nextLong(LATEST + 1));
  }

  private int count() {
    return maybe() ? random.nextInt(5) : random.nextInt(Integer.MAX_VALUE);
  }

  private long millis() {
    return random.nextLong(1_000_000_000_000L);
  }

  private List<String> steps() {
    var steps = new ArrayList<String>();
    for (int i = random.nextInt(5); i >= 0; i--) steps.add(text + i);
    return steps;
  }

  private Priority priority() {
    return List.of(Priority.LOW, Priority.MEDIUM, Priority.HIGH).get(random.nextInt(3));
  }

  private String type() {
    return ExecutionRecords.TASK_TYPES.stream().sorted().toList().get(random.nextInt(3));
  }

  private @Nullable ObjectNode input() {
    return maybe() ? object() : null;
  }

  private ExecutionError error() {
    return new ExecutionError("CODE_" + text, maybe() ? "" : text, maybe() ? text : null, truth());
  }

  private @Nullable Boolean truth() {
    return maybe() ? (Boolean) maybe() : null;
  }

  private ObjectNode original() {
    var task = new TaskCreated(text, type(), object(), 0, 3, time());
    var tree = Json.object().put("eventType", TaskCreated.TYPE);
    tree.set("payload", ExecutionCodec.payload(task));
    return (ObjectNode) Json.parse(Json.bytes(tree));
  }

  // Half a surrogate pair can be a text of JSON, but no name.
  private String name() {
    return text.codePoints()
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  // By way of text, so that numbers are what a reader makes of them.
  private ObjectNode object() {
    var tree = Json.object().put(name(), text).put("n", random.nextInt()).put("b", maybe());
    tree.putArray("list").add(random.nextLong()).addNull().add(random.nextDouble());
    tree.putObject("inner").put("", text);
    return (ObjectNode) Json.parse(Json.bytes(tree));
  }
}
