package io.tidemill.search.query;

import io.tidemill.search.SearchResult.Count;
import io.tidemill.search.SearchResult.Facets;
import io.tidemill.search.index.PageFields;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;

/// Counts hits in total and by site, language, type and age.
final class FacetCounts extends SimpleCollector {
  /// Further hits only count in the total (F50).
  private static final int MOST = 200_000;

  private static final int TOP = 10;
  private static final String[] FIELDS = {PageFields.SITE, PageFields.LANGUAGE, PageFields.TYPE};
  private static final List<String> SPANS = List.of("day", "week", "month", "year");
  private static final List<Duration> AGES =
      List.of(Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(365));

  private final long[] borders;
  private final long[] ages = new long[AGES.size() + 1];
  private final List<Map<String, Long>> counts = new ArrayList<>();
  private final SortedDocValues[] values = new SortedDocValues[FIELDS.length];
  private final int[][] ordinals = new int[FIELDS.length][];
  private NumericDocValues dates = DocValues.emptyNumeric();
  private long total;

  FacetCounts(Instant now) {
    borders = AGES.stream().mapToLong(age -> now.minus(age).toEpochMilli()).toArray();
    for (var i = 0; i < FIELDS.length; i++) {
      counts.add(new HashMap<>());
      values[i] = DocValues.emptySorted();
      ordinals[i] = new int[0];
    }
  }

  static CollectorManager<FacetCounts, FacetCounts> counting(Instant now) {
    return new CollectorManager<>() {
      @Override
      public FacetCounts newCollector() {
        return new FacetCounts(now);
      }

      @Override
      public FacetCounts reduce(Collection<FacetCounts> all) throws IOException {
        // The search has one thread, so there is one collector.
        var counts = all.iterator().next();
        counts.endLeaf();
        return counts;
      }
    };
  }

  @Override
  protected void doSetNextReader(LeafReaderContext leaf) throws IOException {
    endLeaf();
    for (var i = 0; i < FIELDS.length; i++) {
      values[i] = DocValues.getSorted(leaf.reader(), FIELDS[i]);
      ordinals[i] = new int[values[i].getValueCount()];
    }
    dates = DocValues.getNumeric(leaf.reader(), PageFields.DATE);
  }

  @Override
  public void collect(int doc) throws IOException {
    if (++total > MOST) return;
    for (var i = 0; i < FIELDS.length; i++) {
      if (values[i].advanceExact(doc)) ordinals[i][values[i].ordValue()]++;
    }
    if (dates.advanceExact(doc)) ages[age(dates.longValue())]++;
  }

  private int age(long date) {
    for (var i = 0; i < borders.length; i++) {
      if (date >= borders[i]) return i;
    }
    return borders.length;
  }

  /// Ordinals are valid within one segment only.
  private void endLeaf() throws IOException {
    for (var i = 0; i < FIELDS.length; i++) {
      for (var ordinal = 0; ordinal < ordinals[i].length; ordinal++) {
        var count = ordinals[i][ordinal];
        if (count == 0) continue;
        counts.get(i).merge(values[i].lookupOrd(ordinal).utf8ToString(), (long) count, Long::sum);
      }
      ordinals[i] = new int[0];
    }
  }

  @Override
  public ScoreMode scoreMode() {
    return ScoreMode.COMPLETE_NO_SCORES;
  }

  void add(FacetCounts others) {
    total += others.total;
    for (var i = 0; i < ages.length; i++) ages[i] += others.ages[i];
    for (var i = 0; i < FIELDS.length; i++) {
      var mine = counts.get(i);
      others.counts.get(i).forEach((value, count) -> mine.merge(value, count, Long::sum));
    }
  }

  long total() {
    return total;
  }

  Facets facets() {
    return new Facets(top(counts.get(0)), top(counts.get(1)), top(counts.get(2)), dates());
  }

  private static List<Count> top(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .filter(entry -> !entry.getKey().isEmpty())
        .map(entry -> new Count(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Count::count).reversed().thenComparing(Count::value))
        .limit(TOP)
        .toList();
  }

  private List<Count> dates() {
    var all = new ArrayList<Count>();
    var sum = 0L;
    for (var i = 0; i < SPANS.size(); i++) {
      sum += ages[i];
      all.add(new Count(SPANS.get(i), sum));
    }
    all.add(new Count("older", ages[AGES.size()]));
    return all;
  }
}
