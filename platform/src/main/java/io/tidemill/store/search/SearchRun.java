package io.tidemill.store.search;

import io.tidemill.store.search.SearchAnswer.Facets;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopScoreDocCollectorManager;

/// One query on one state of the index.
final class SearchRun {
  /// With fewer pages than this, those that lack a word are shown too.
  private static final int FEW = 10;

  private static final Sort NEWEST =
      new Sort(new SortField(PageFields.DATE, SortField.Type.LONG, true), SortField.FIELD_DOC);

  private final SearchQuery query;
  private final QueryPlan plan;
  private final IndexSearcher searcher;
  private final Instant now;
  private final int depth;

  SearchRun(
      SearchQuery query, QueryPlan plan, IndexSearcher searcher, Instant now, SearchConfig config) {
    this.query = query;
    this.plan = plan;
    this.searcher = searcher;
    this.now = now;
    this.depth = (int) Math.min(config.maxDepth(), (long) query.page() * query.size());
  }

  /// A page and how well it fits.
  record Doc(int doc, float score) {}

  /// @param page what belongs on the page that was asked for
  /// @param query the one that found it
  /// @param few whether the words, all of them, are on few pages
  record Found(
      List<Doc> page, long total, Facets facets, Query query, boolean few, boolean timedOut) {}

  Found find() throws IOException {
    // Similar words are looked up once, not again for every pass.
    var wanted = searcher.rewrite(plan.strict());
    var counts = count(wanted);
    var few = counts.total() < FEW;
    if (few && !plan.plain().isEmpty() && !searcher.timedOut()) {
      wanted = searcher.rewrite(plan.loose());
      counts = count(wanted);
    }
    var docs = query.order() == SearchQuery.Order.NEWEST ? newest(wanted) : best(wanted);
    var from = Math.min(docs.size(), (query.page() - 1L) * query.size());
    var page = docs.subList((int) from, (int) Math.min(docs.size(), from + query.size()));
    return new Found(page, counts.total(), counts.facets(), wanted, few, searcher.timedOut());
  }

  private FacetCounts count(Query wanted) throws IOException {
    return searcher.search(wanted, FacetCounts.counting(now));
  }

  private List<Doc> best(Query wanted) throws IOException {
    var most = Math.max(depth, Ranking.SECOND_LOOK);
    // They are counted already: pages that can't be among the best may be passed over.
    var top = searcher.search(wanted, new TopScoreDocCollectorManager(most, null, 1));
    return docs(ordered(again(top)), depth);
  }

  /// Looks at the best once more, for what would cost too much to look for on every page.
  private ScoreDoc[] again(TopDocs top) throws IOException {
    if (plan.plain().isEmpty() || searcher.timedOut()) return top.scoreDocs;
    var first = Math.min(top.scoreDocs.length, Ranking.SECOND_LOOK);
    var head = new TopDocs(top.totalHits, Arrays.copyOf(top.scoreDocs, first));
    var better = new Plus(plan.bonuses()).rescore(searcher, head, first).scoreDocs;
    var all = Arrays.copyOf(better, top.scoreDocs.length);
    System.arraycopy(top.scoreDocs, first, all, first, all.length - first);
    return all;
  }

  /// Pages that fit equally well: the newer first, whatever their numbers in the index.
  private ScoreDoc[] ordered(ScoreDoc[] docs) throws IOException {
    var dates = new HashMap<ScoreDoc, Long>();
    for (var i = 0; i < docs.length; i++) {
      var tie =
          (i > 0 && docs[i - 1].score == docs[i].score)
              || (i + 1 < docs.length && docs[i + 1].score == docs[i].score);
      if (tie) dates.put(docs[i], date(docs[i].doc));
    }
    if (dates.isEmpty()) return docs;
    var order =
        Comparator.<ScoreDoc>comparingDouble(doc -> -doc.score)
            .thenComparing(doc -> dates.getOrDefault(doc, 0L), Comparator.reverseOrder())
            .thenComparingInt(doc -> doc.doc);
    Arrays.sort(docs, order);
    return docs;
  }

  private long date(int doc) throws IOException {
    var leaves = searcher.getIndexReader().leaves();
    var leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
    var dates = DocValues.getNumeric(leaf.reader(), PageFields.DATE);
    return dates.advanceExact(doc - leaf.docBase) ? dates.longValue() : Long.MIN_VALUE;
  }

  private List<Doc> newest(Query wanted) throws IOException {
    var top = searcher.search(wanted, depth, NEWEST).scoreDocs;
    var shown = top.length - Math.min(top.length, (query.page() - 1) * query.size());
    var last = Arrays.copyOfRange(top, top.length - shown, top.length);
    TopFieldCollector.populateScores(last, searcher, wanted);
    return docs(top, depth);
  }

  private static List<Doc> docs(ScoreDoc[] top, int most) {
    return Arrays.stream(top)
        .limit(most)
        .map(doc -> new Doc(doc.doc, Float.isNaN(doc.score) ? 0 : doc.score))
        .toList();
  }

  /// Why that page was found; nothing when nobody asked.
  List<String> why(Query wanted, int doc) throws IOException {
    if (!query.explain()) return List.of();
    var why = new ArrayList<>(Reasons.of(searcher.explain(wanted, doc), plan.words()));
    if (!plan.plain().isEmpty() && query.order() == SearchQuery.Order.RELEVANCE) {
      why.addAll(Reasons.of(searcher.explain(plan.bonuses(), doc), plan.words()));
    }
    return why;
  }

  private static final class Plus extends QueryRescorer {
    Plus(Query query) {
      super(query);
    }

    @Override
    protected float combine(float first, boolean matches, float second) {
      return matches ? first + second : first;
    }
  }
}
