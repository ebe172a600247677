package io.tidemill.dashboard.recordsearch;

import io.tidemill.contract.job.DeadJob;
import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.recordsearch.IndexedRecord;
import io.tidemill.recordsearch.RecordIndex;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Dead letters of the job queue.
final class DeadJobFeed implements RecordFeed {
  private static final String SOURCE = "jobs";
  private static final int AT_ONCE = 100;
  private static final int CHECKED = 500;
  private static final int MOST_KNOWN = 100_000;

  private final DeadJobStore jobs;
  // Ids in the index; those checked longest ago come first.
  private final Set<String> known;
  private String last;
  private long count;
  private int toCheck;
  private long behind;

  DeadJobFeed(DeadJobStore jobs, Map<String, String> checkpoint, RecordIndex index) {
    this.jobs = jobs;
    known = new LinkedHashSet<>(index.ofSource(RecordKind.DEAD.wire(), SOURCE));
    toCheck = known.size();
    last = checkpoint.getOrDefault("last", "0-0");
  }

  @Override
  public int poll(RecordIndex index, Duration patience) {
    var found = jobs.since(last, AT_ONCE);
    for (var dead : found) {
      index.put(record(dead));
      known.add(dead.id());
      last = dead.id();
    }
    while (known.size() > MOST_KNOWN) known.remove(known.iterator().next());
    var now = jobs.count();
    // Some were redriven or deleted: all have to be checked.
    if (now < count + found.size()) toCheck = known.size();
    count = now;
    behind = found.size() < AT_ONCE ? 0 : Math.max(0, now - known.size());
    return found.size() + check(index);
  }

  private int check(RecordIndex index) {
    if (toCheck <= 0) return 0;
    var some = known.stream().limit(CHECKED).toList();
    toCheck -= CHECKED;
    var gone = jobs.gone(some);
    known.removeAll(Set.copyOf(some));
    known.addAll(some);
    for (var id : gone) {
      known.remove(id);
      index.remove(RecordKind.DEAD.wire(), id);
    }
    return some.size();
  }

  private static IndexedRecord record(DeadJob dead) {
    var text =
        PlainText.join(
            "message", dead.message(), "job", orEmpty(dead.jobId()), "fields", dead.fields());
    var title = dead.reason() + ": " + dead.message();
    return new IndexedRecord(
        RecordKind.DEAD.wire(),
        dead.id(),
        title,
        text,
        DeadLetterRecords.STATUS,
        dead.ts(),
        SOURCE,
        0);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  @Override
  public Map<String, String> checkpoint() {
    return Map.of("last", last);
  }

  @Override
  public long behind() {
    return behind;
  }

  @Override
  public long skipped() {
    return 0;
  }
}
