package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadLetter;
import io.tidemill.deadletter.DeadLetterFilter;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.InvalidCursor;
import io.tidemill.deadletter.redrive.DeadLetterCatalog.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Pages of dead letters, those of one source as they lie there and those of many that pass a
/// filter.
public final class DeadLetterSearch {
  private static final int MOST_READS = 20;
  private static final int FAR = 1_000;
  private static final Pattern CURSOR = Pattern.compile("([0-9]{1,15})@([^@]{1,200})@(.{1,600})");

  private DeadLetterSearch() {}

  /// @param total how many there are on all pages
  /// @param next the cursor of the page after this one; null when there is none
  public record Found(List<DeadLetter> deadLetters, int total, @Nullable String next) {}

  /// Those of one source without those that were discarded; a page is shorter when there are very
  /// many of them.
  ///
  /// @throws InvalidCursor when no page of the source has this `next`
  public static DeadLetterSource.Page list(
      DeadLetterSource source, int limit, @Nullable String before) {
    var rows = new ArrayList<ObjectNode>();
    var page = source.list(limit, before);
    for (int reads = 0; ; reads++) {
      var some = notDiscarded(page);
      rows.addAll(some);
      var next = some.isEmpty() ? skipDiscarded(source, page.next()) : page.next();
      if (next == null || rows.size() == limit || reads == MOST_READS) {
        var total = Math.max(0, page.total() - source.discarded());
        return new DeadLetterSource.Page(rows, total, next);
      }
      page = source.list(limit - rows.size(), next);
    }
  }

  // One read further: who discards many leaves long stretches of them.
  private static @Nullable String skipDiscarded(DeadLetterSource source, @Nullable String next) {
    if (next == null) return null;
    var far = source.brief(FAR, next);
    return notDiscarded(far).isEmpty() ? far.next() : next;
  }

  private static List<ObjectNode> notDiscarded(DeadLetterSource.Page page) {
    return page.dead().stream()
        .filter(row -> DeadLetter.State.of(row) != DeadLetter.State.DISCARDED)
        .toList();
  }

  /// The newest of those that pass the filter.
  ///
  /// @param before the `next` of the page before; null for the first
  /// @throws InvalidCursor when it is that of no page
  public static Found find(
      List<Seen> seen, DeadLetterFilter filter, int limit, @Nullable String before) {
    var sorted = DeadLetterCatalog.matching(seen, filter).sorted(DeadLetter.NEWEST).toList();
    var from = before == null ? 0 : after(sorted, before);
    var page = sorted.subList(from, Math.min(sorted.size(), from + limit));
    var isLast = from + page.size() >= sorted.size();
    return new Found(page, sorted.size(), isLast ? null : cursor(page.getLast()));
  }

  // By what it says and not by its number: what came or went meanwhile shifts nothing.
  private static int after(List<DeadLetter> sorted, String before) {
    var cursor = CURSOR.matcher(before);
    if (!cursor.matches()) throw new InvalidCursor(before);
    var last = Long.parseLong(cursor.group(1));
    var index = 0;
    for (var letter : sorted) {
      var order = Long.compare(last, letter.at());
      if (order == 0) order = letter.source().compareTo(cursor.group(2));
      if (order == 0) order = letter.id().compareTo(cursor.group(3));
      if (order > 0) break;
      index++;
    }
    return index;
  }

  private static String cursor(DeadLetter letter) {
    return letter.at() + "@" + letter.source() + "@" + letter.id();
  }
}
