package io.tidemill.search.query;

import io.tidemill.search.RankFusion;
import io.tidemill.search.RankingWeights;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchResult.Facets;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.passage.NearPassage;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import org.jspecify.annotations.Nullable;

/// One search on one view of the index.
final class SearchRun {
  /// With fewer hits than this, pages that lack a word are found too.
  private static final int FEW = 10;

  private static final Sort NEWEST =
      new Sort(new SortField(PageFields.DATE, SortField.Type.LONG, true), SortField.FIELD_DOC);

  private final SearchQuery query;
  private final QueryPlan plan;
  private final IndexSearcher searcher;
  private final Instant now;
  private final int depth;
  private final double minSimilarity;
  private final @Nullable NearPageFinder nearPages;

  /// @param nearPages null when pages are found by words alone
  SearchRun(
      SearchQuery query,
      QueryPlan plan,
      IndexSearcher searcher,
      @Nullable NearPageFinder nearPages,
      Instant now,
      SearchConfig config) {
    this.query = query;
    this.nearPages = nearPages;
    this.minSimilarity = config.minSimilarity();
    this.plan = plan;
    this.searcher = searcher;
    this.now = now;
    this.depth = (int) Math.min(config.maxDepth(), (long) query.page() * query.size());
  }

  /// A hit.
  ///
  /// @param near its nearest passage; null when it was found by words alone
  /// @param places its ranks in the two lists; null when only words count
  record Doc(
      int doc, double score, @Nullable NearPassage near, RankFusion.@Nullable Ranked places) {}

  /// @param page the hits on the requested page of results
  /// @param query that found them
  /// @param few whether few pages have all words
  record Found(
      List<Doc> page, long total, Facets facets, Query query, boolean few, boolean timedOut) {}

  Found find() throws IOException {
    // Rewritten once, so that fuzzy terms are not expanded again for every pass.
    var wanted = searcher.rewrite(plan.strict());
    var counts = count(wanted);
    var few = counts.total() < FEW;
    if (few && !plan.plain().isEmpty() && !searcher.timedOut()) {
      wanted = searcher.rewrite(plan.loose());
      counts = count(wanted);
    }
    var docs = query.order() == SearchQuery.Order.NEWEST ? newest(wanted) : best(wanted);
    // Words first: they must be there when the time is over.
    if (nearPages != null && !searcher.timedOut()) {
      var near = near(nearPages, wanted);
      if (!near.others().isEmpty()) counts.add(count(NearPageFinder.named(near.others())));
      if (!near.pages().isEmpty()) docs = fused(docs, near.pages(), nearPages);
    }
    docs = docs.subList(0, Math.min(depth, docs.size()));
    var from = Math.min(docs.size(), (query.page() - 1L) * query.size());
    var page = docs.subList((int) from, (int) Math.min(docs.size(), from + query.size()));
    return new Found(page, counts.total(), counts.facets(), wanted, few, searcher.timedOut());
  }

  private FacetCounts count(Query wanted) throws IOException {
    return searcher.search(wanted, FacetCounts.counting(now));
  }

  /// Pages near the question.
  ///
  /// @param others ids of pages that the words alone do not find
  private record Nearness(Map<Integer, NearPassage> pages, List<String> others) {}

  private Nearness near(NearPageFinder nearPages, Query wanted) throws IOException {
    var found = nearPages.find(plan.conditions().orElse(null));
    var pages = new LinkedHashMap<>(found.pages());
    var least = SimilarityCutoff.of(found.nearest(), found.background(), minSimilarity);
    var known = nearPages.found(wanted, pages);
    var others = new ArrayList<String>();
    pages
        .entrySet()
        .removeIf(page -> {
          if (known.contains(page.getKey())) return false;
          if (page.getValue().similarity() < least) return true;
          others.add(page.getValue().id());
          return false;
        });
    return new Nearness(pages, others);
  }

  /// The best by words, in blocks: deeper pages of results add blocks and leave the earlier ones as
  /// they are.
  private List<Doc> best(Query wanted) throws IOException {
    var block = RankingWeights.RESCORED;
    var most = (depth + block - 1) / block * block;
    // Hits are counted already: Lucene may skip pages that can't be among the best.
    var top = searcher.search(wanted, new TopScoreDocCollectorManager(most, null, 1));
    var all = rescored(top);
    var docs = new ArrayList<Doc>();
    for (int from = 0; from < all.length; from += block) {
      var to = Math.min(all.length, from + block);
      docs.addAll(docs(ordered(Arrays.copyOfRange(all, from, to)), block));
    }
    return docs;
  }

  /// The fused best of both lists, then the rest by words. Only the best by words are fused: a hit
  /// must have the same rank on every page of results.
  private List<Doc> fused(
      List<Doc> byWords, Map<Integer, NearPassage> near, NearPageFinder nearPages)
      throws IOException {
    var head = byWords.subList(0, Math.min(byWords.size(), RankingWeights.RESCORED));
    var words = head.stream().map(Doc::doc).toList();
    var waiting = nearPages.waiting(words);
    var fused = new ArrayList<Doc>();
    var shown = new HashSet<Integer>();
    for (var page : RankFusion.of(words, List.copyOf(near.keySet()), waiting)) {
      fused.add(new Doc(page.doc(), page.score(), near.get(page.doc()), page));
      shown.add(page.doc());
    }
    for (var i = head.size(); i < byWords.size(); i++) {
      var page = new RankFusion.Ranked(byWords.get(i).doc(), i + 1, 0, false);
      if (shown.add(page.doc())) fused.add(new Doc(page.doc(), page.score(), null, page));
    }
    return fused;
  }

  /// Rescores the best hits with bonuses that are too costly for all.
  private ScoreDoc[] rescored(TopDocs top) throws IOException {
    if (plan.plain().isEmpty() || searcher.timedOut()) return top.scoreDocs;
    var first = Math.min(top.scoreDocs.length, RankingWeights.RESCORED);
    var head = new TopDocs(top.totalHits, Arrays.copyOf(top.scoreDocs, first));
    var better = new BonusRescorer(plan.bonuses()).rescore(searcher, head, first).scoreDocs;
    var all = Arrays.copyOf(better, top.scoreDocs.length);
    System.arraycopy(top.scoreDocs, first, all, first, all.length - first);
    return all;
  }

  /// Orders hits of equal score by date, the newest first.
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
        .map(doc -> new Doc(doc.doc, Float.isNaN(doc.score) ? 0 : doc.score, null, null))
        .toList();
  }

  /// Explains a hit, if the query asks for it.
  List<String> why(Query wanted, Doc page) throws IOException {
    if (!query.explain()) return List.of();
    var doc = page.doc();
    var why = new ArrayList<String>();
    if (page.places() != null) why.addAll(ScoreExplanation.of(page.places(), page.near()));
    why.addAll(ScoreExplanation.of(searcher.explain(wanted, doc), plan.words()));
    if (!plan.plain().isEmpty() && query.order() == SearchQuery.Order.RELEVANCE) {
      why.addAll(ScoreExplanation.of(searcher.explain(plan.bonuses(), doc), plan.words()));
    }
    return why;
  }

  private static final class BonusRescorer extends QueryRescorer {
    BonusRescorer(Query query) {
      super(query);
    }

    @Override
    protected float combine(float first, boolean matches, float second) {
      return matches ? first + second : first;
    }
  }
}
