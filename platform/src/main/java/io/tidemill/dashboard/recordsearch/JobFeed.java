package io.tidemill.dashboard.recordsearch;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.job.JobChangeFeed;
import io.tidemill.job.JobsConfig;
import io.tidemill.recordsearch.IndexedRecord;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.redis.BulkRead;
import io.tidemill.redis.Redis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Submitted and finished jobs.
///
/// Workers of other programs do not announce the end of a job, so unfinished jobs are checked
/// periodically.
final class JobFeed implements RecordFeed {
  private static final int MOST_ENDED = 10_000;

  private final JobChangeFeed changes;
  private final BulkRead bulkRead;
  private final long defaultTtl;
  private JobChangeFeed.Position position;
  private long behind;
  private long skipped;
  private final UnfinishedRecords unfinished = new UnfinishedRecords();
  // The last finished jobs, which do not change any more: a short job is often finished when its
  // submission is read.
  private final Set<String> ended = new LinkedHashSet<>();

  JobFeed(Redis redis, JobsConfig config, Map<String, String> checkpoint, RecordIndex index) {
    changes = new JobChangeFeed(redis, config);
    bulkRead = new BulkRead(redis);
    defaultTtl = Duration.ofSeconds(config.ttlS()).toMillis();
    position = JobChangeFeed.Position.of(checkpoint);
    for (var status : JobStatus.values()) {
      if (status.isTerminal()) continue;
      for (var id : index.withStatus(RecordKind.JOB.wire(), status.wire()))
        unfinished.put(id, status.wire());
    }
  }

  @Override
  public int poll(RecordIndex index, Duration patience) {
    var page = changes.after(position);
    load(page.ids().stream().filter(id -> !ended.contains(id)).toList(), index);
    position = page.next();
    behind = page.behind();
    skipped += page.skipped();
    return page.ids().size() + checkUnfinished(index);
  }

  private void load(Collection<String> ids, RecordIndex index) {
    var wanted = List.copyOf(ids);
    for (int i = 0; i < wanted.size(); i += BulkRead.AT_ONCE) {
      var some = wanted.subList(i, Math.min(i + BulkRead.AT_ONCE, wanted.size()));
      var found =
          bulkRead.hashes(some.stream().map(JobNames::job).toList(), IndexedRecord.LONGEST_TEXT);
      for (int j = 0; j < some.size(); j++) put(some.get(j), found.get(j), index);
    }
  }

  private void put(String id, Map<String, String> job, RecordIndex index) {
    unfinished.remove(id);
    if (job.isEmpty()) {
      index.remove(RecordKind.JOB.wire(), id);
      return;
    }
    var status = job.getOrDefault("status", JobStatus.QUEUED.wire());
    var isTerminal = JobStatus.of(status).map(JobStatus::isTerminal).orElse(false);
    if (isTerminal) end(id);
    else unfinished.put(id, status);
    var at = number(job, "updated_ts", number(job, "created_ts", 0));
    var text =
        PlainText.join(
            "error",
            job.getOrDefault("error", ""),
            "result",
            job.getOrDefault("result", ""),
            "payload",
            job.getOrDefault("payload", ""));
    var title = job.getOrDefault("task", "job");
    var until = isTerminal ? at + ttl(job) : 0;
    index.put(new IndexedRecord(RecordKind.JOB.wire(), id, title, text, status, at, "", until));
  }

  private void end(String id) {
    ended.add(id);
    if (ended.size() > MOST_ENDED) ended.remove(ended.iterator().next());
  }

  private long ttl(Map<String, String> job) {
    var seconds = number(job, "ttl_s", 0);
    return seconds > 0 && seconds <= Integer.MAX_VALUE ? seconds * 1_000 : defaultTtl;
  }

  private static long number(Map<String, String> job, String field, long otherwise) {
    try {
      return Long.parseLong(job.getOrDefault(field, ""));
    } catch (NumberFormatException strange) {
      return otherwise;
    }
  }

  private int checkUnfinished(RecordIndex index) {
    var some = unfinished.due();
    var keys = some.stream().map(JobNames::job).toList();
    var found = bulkRead.hashes(keys, IndexedRecord.LONGEST_TEXT, "status");
    var changed = new ArrayList<String>();
    for (int i = 0; i < some.size(); i++) {
      if (unfinished.isChanged(some.get(i), found.get(i).get("status"))) changed.add(some.get(i));
    }
    load(changed, index);
    return changed.size();
  }

  @Override
  public Map<String, String> checkpoint() {
    return position.marks();
  }

  @Override
  public long behind() {
    return behind;
  }

  @Override
  public long skipped() {
    return skipped;
  }
}
