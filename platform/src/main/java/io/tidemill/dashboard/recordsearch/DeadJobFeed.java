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

/// Queue entries of jobs that nobody could work off.
final class DeadJobFeed implements RecordFeed {
  private static final String SOURCE = "jobs";
  private static final int AT_ONCE = 100;
  private static final int CHECKED = 500;
  private static final int MOST_KNOWN = 100_000;

  private final DeadJobStore jobs;
  // Those that can be found, the ones that were looked for longest ago first.
  private final Set<String> known;
  private String last;
  private long count;
  private int toCheck;
  private long behind;

  DeadJobFeed(DeadJobStore jobs, Map<String, String> marks, RecordIndex index) {
    this.jobs = jobs;
    known = new LinkedHashSet<>(index.ofSource(RecordKind.DEAD.wire(), SOURCE));
    toCheck = known.size();
    last = marks.getOrDefault("last", "0-0");
  }

  @Override
  public int round(RecordIndex index, Duration patience) {
    var found = jobs.since(last, AT_ONCE);
    for (var dead : found) {
      index.put(thing(dead));
      known.add(dead.id());
      last = dead.id();
    }
    while (known.size() > MOST_KNOWN) known.remove(known.iterator().next());
    var now = jobs.count();
    // Some were redriven or deleted. Which ones, nobody says.
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

  private static IndexedRecord thing(DeadJob dead) {
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
  public Map<String, String> marks() {
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
