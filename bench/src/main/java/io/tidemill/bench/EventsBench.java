package io.tidemill.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.bench.BenchReport.Line;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// `bench events`: workflows and tasks a second from their `created` event to their last one,
/// beside a bare producer that writes the same events and does nothing else.
public final class EventsBench {
  /// Steps that only make records of records.
  static final List<String> STEPS = List.of("one", "two", "three");

  /// Steps that leave something behind: the end of each is written down before the next one starts.
  static final List<String> DEEDS = List.of("first", "second", "third");

  private static final ObjectNode RESULT =
      Json.object()
          .put("recordsProcessed", 1000)
          .put("validRecords", 950)
          .put("invalidRecords", 50);
  private static final ObjectNode METADATA =
      Json.object().put("source", ExecutionNames.PROCESSOR).put("processorId", "bench");

  private final Map<String, String> overrides;
  private final InstantSource clock = InstantSource.system();
  private final int count;
  private final int rounds;

  public EventsBench(int count, int rounds, Map<String, String> overrides) {
    this.overrides = Map.copyOf(overrides);
    this.count = count;
    this.rounds = rounds;
  }

  /// 5,000 workflows and tasks five times, or 2,000 once.
  public static EventsBench of(boolean quick, Map<String, String> overrides) {
    return new EventsBench(quick ? 2_000 : 5_000, quick ? 1 : 5, overrides);
  }

  /// Runs it.
  public BenchReport run() throws IOException, InterruptedException {
    try (var folder = BenchFolder.make();
        var rig = new EventsRig(folder.path(), overrides, RESULT)) {
      for (int i = 0; i < 3; i++) lines(rig); // the first seconds belong to the compiler
      var setup = "%,d workflows of three steps, %,d tasks".formatted(count, count);
      return BenchReport.of("events", setup, rounds, () -> lines(rig));
    }
  }

  private List<Line> lines(EventsRig rig) throws IOException, InterruptedException {
    var someWorkflows = all(now -> workflow(now, STEPS));
    var rawWorkflows = Throughput.of(count, () -> rig.write(ExecutionKind.WORKFLOW, someWorkflows));
    // Around the others, so that whatever changes meanwhile changes both.
    var before = workflows(STEPS, rig::run);
    var poisoned = workflows(STEPS, rig::runWithPoison).and(workflows(STEPS, rig::runWithPoison));
    var workflows = before.and(workflows(STEPS, rig::run));
    var kept = workflows(DEEDS, rig::run);
    var someTasks = all(this::task);
    var rawTasks = Throughput.of(count, () -> rig.write(ExecutionKind.TASK, someTasks));
    var tasks = Throughput.of(count, () -> rig.run(ExecutionKind.TASK, created(someTasks)));
    return List.of(
        new Line(
            "workflows/s",
            workflows.perSecond(),
            rawWorkflows.perSecond(),
            "their six events written, acks=all"),
        new Line(
            "workflows/s, each step kept",
            kept.perSecond(),
            rawWorkflows.perSecond(),
            "the same: every step's end is on disk before the next one starts"),
        new Line(
            "tasks/s",
            tasks.perSecond(),
            rawTasks.perSecond(),
            "their three events written, acks=all"),
        new Line(
            "workflows/s beside poison",
            poisoned.perSecond(),
            workflows.perSecond(),
            "the same without a record that nobody can read"),
        new Line(
            "CPU us/workflow",
            workflows.micros(),
            rawWorkflows.micros(),
            "both with the broker's own cost, without Redis"),
        new Line(
            "CPU us/task",
            tasks.micros(),
            rawTasks.micros(),
            "both with the broker's own cost, without Redis"));
  }

  private interface Run {
    void run(ExecutionKind kind, List<ExecutionMessage> created);
  }

  private Throughput workflows(List<String> steps, Run run)
      throws IOException, InterruptedException {
    var created = created(all(now -> workflow(now, steps)));
    return Throughput.of(count, () -> run.run(ExecutionKind.WORKFLOW, created));
  }

  private interface Life {
    List<ExecutionEvent> events(Instant now);
  }

  private List<List<ExecutionMessage>> all(Life life) {
    var all = new ArrayList<List<ExecutionMessage>>();
    for (int i = 0; i < count; i++) {
      var now = clock.instant();
      all.add(
          life.events(now).stream()
              .map(event -> ExecutionMessage.of(event, now, METADATA))
              .toList());
    }
    return all;
  }

  private static List<ExecutionMessage> created(List<List<ExecutionMessage>> lives) {
    return lives.stream().map(List::getFirst).toList();
  }

  private static List<ExecutionEvent> workflow(Instant now, List<String> steps) {
    var id = ExecutionNames.newWorkflowId();
    var events = new ArrayList<ExecutionEvent>();
    events.add(
        new ExecutionEvent.WorkflowCreated(id, "Benchmark", steps, Priority.MEDIUM, now, null));
    events.add(new ExecutionEvent.WorkflowProcessing(id, now, steps.getFirst(), 0));
    for (int i = 0; i < steps.size(); i++) {
      events.add(new ExecutionEvent.StepCompleted(id, steps.get(i), i, now, 1, RESULT));
    }
    var summary =
        Json.object()
            .put("totalRecords", 1000)
            .put("successfulRecords", 1000)
            .put("failedRecords", 0);
    events.add(new ExecutionEvent.WorkflowCompleted(id, now, 3, steps.size(), summary));
    return events;
  }

  private List<ExecutionEvent> task(Instant now) {
    var id = ExecutionNames.newTaskId();
    var data = Json.object().put("recipient", "user@example.com").put("subject", "Benchmark");
    return List.of(
        new ExecutionEvent.TaskCreated(id, EventsRig.TYPE, data, 0, 3, now),
        new ExecutionEvent.TaskProcessing(id, now, 0),
        new ExecutionEvent.TaskCompleted(id, now, 1, RESULT));
  }

  static byte[] key(ExecutionMessage message) {
    return message.event().id().getBytes(UTF_8);
  }

  static byte[] value(ExecutionMessage message) {
    return ExecutionCodec.encode(message);
  }
}
