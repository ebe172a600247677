package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.COMPLETED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP_INDEX;
import static io.tidemill.contract.workflow.WorkflowFields.ERROR;
import static io.tidemill.contract.workflow.WorkflowFields.REPORTS;
import static io.tidemill.contract.workflow.WorkflowFields.REPORT_TRIES;
import static io.tidemill.contract.workflow.WorkflowFields.RETRY_COUNT;
import static io.tidemill.contract.workflow.WorkflowFields.STARTED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.STATUS;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.redis.Redis;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Workflows or tasks whose status is to be reported to a gateway that does not read topics (C2.4).
///
/// Each is there once, however often it changes: what is reported is the record as it stands. One
/// reporter at a time has it, so that reports do not overtake each other. Every method may throw
/// [RedisException] and may then be repeated.
public final class ReportQueue {
  private static final Script TAKE = Script.load(ReportQueue.class, "take_reports.lua");
  private static final Script SETTLE = Script.load(ReportQueue.class, "settle_report.lua");
  private static final List<String> FIELDS =
      List.of(
          STATUS,
          CURRENT_STEP,
          CURRENT_STEP_INDEX,
          STARTED_AT,
          COMPLETED_AT,
          ERROR,
          RETRY_COUNT,
          REPORTS,
          REPORT_TRIES);

  /// One to report.
  ///
  /// @param fields of its record, those that a report needs
  /// @param leaseEnd in milliseconds
  public record Due(String id, Map<String, String> fields, long leaseEnd) {
    /// Failed tries so far.
    public int tries() {
      return ExecutionRecords.number(fields, REPORT_TRIES);
    }
  }

  private final Redis redis;
  private final ExecutionKind kind;
  private final InstantSource clock;

  public ReportQueue(Redis redis, ExecutionKind kind, InstantSource clock) {
    this.redis = redis;
    this.kind = kind;
    this.clock = clock;
  }

  public ExecutionKind kind() {
    return kind;
  }

  /// Takes some that are due; others get them when the lease is over.
  public List<Due> take(int most, Duration lease) {
    var end = clock.millis() + lease.toMillis();
    var arguments =
        new ArrayList<Object>(List.of(kind.topic(), kind.key(""), clock.millis(), end, most));
    arguments.addAll(FIELDS);
    return Redis.list(redis.run(TAKE, List.of(), arguments)).stream()
        .map(entry -> due(Redis.list(entry), end))
        .toList();
  }

  private static Due due(List<Object> entry, long leaseEnd) {
    var fields = new HashMap<String, String>();
    for (int i = 0; i < FIELDS.size(); i++) {
      var value = entry.get(i + 1);
      if (value != null) fields.put(FIELDS.get(i), Redis.text(value));
    }
    return new Due(Redis.text(entry.getFirst()), fields, leaseEnd);
  }

  /// It is reported, or can't be; unless it changed meanwhile, it leaves the queue.
  public void settle(Due report) {
    settle(report, 0, 0);
  }

  /// It is due again after a pause.
  public void retry(Due report, Duration pause) {
    settle(report, report.tries() + 1, clock.millis() + pause.toMillis());
  }

  private void settle(Due report, int tries, long due) {
    var version = report.fields().getOrDefault(REPORTS, "");
    redis.run(
        SETTLE,
        List.of(kind.key(report.id())),
        List.of(kind.topic(), report.id(), report.leaseEnd(), version, tries, due));
  }
}
