package io.tidemill.search.query;

import io.tidemill.lucene.SearchDeadline;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.index.PageLookup;
import io.tidemill.search.passage.NearPassage;
import io.tidemill.search.passage.PassageSearch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Finds pages near a question by their vectors, each with its nearest passage.
final class NearPageFinder {
  /// The most pages; after these, similarity no longer tells good from bad.
  static final int PAGES = 100;

  /// More than pages: often several passages of a page are near.
  private static final int PASSAGES = 150;

  /// When more pages than this meet the conditions, the nearest passages are found first and
  /// filtered afterwards; else the search is among the passages of these pages.
  private static final int FEW = 5_000;

  private static final int CHECKED = 600;

  private final PassageSearch passages;
  private final float[] question;
  private final IndexSearcher searcher;
  private final SearchDeadline deadline;

  NearPageFinder(
      PassageSearch passages, float[] question, IndexSearcher searcher, SearchDeadline deadline) {
    this.passages = passages;
    this.question = question;
    this.searcher = searcher;
    this.deadline = deadline;
  }

  /// The nearest pages.
  ///
  /// @param pages by document number, the nearest first
  /// @param background median similarity of all passages that were found
  record Near(Map<Integer, NearPassage> pages, double background) {
    /// The similarity of the nearest page; 0 without any.
    double nearest() {
      return pages.isEmpty() ? 0 : pages.values().iterator().next().similarity();
    }
  }

  /// @param conditions what every page must meet; null = nothing
  Near find(@Nullable Query conditions) throws IOException {
    var near = conditions == null ? nearest(PASSAGES, null) : among(conditions);
    var best = new LinkedHashMap<String, NearPassage>();
    for (var passage : near) best.putIfAbsent(passage.id(), passage);
    var docs = numbers(best.keySet());
    var allowed = meeting(best.keySet(), conditions);
    var pages = new LinkedHashMap<Integer, NearPassage>();
    best.forEach((id, passage) -> {
      var doc = docs.get(id);
      if (doc != null && allowed.contains(doc) && pages.size() < PAGES) pages.put(doc, passage);
    });
    return new Near(pages, near.isEmpty() ? 0 : near.get(near.size() / 2).similarity());
  }

  private List<NearPassage> nearest(int most, @Nullable Set<String> pages) throws IOException {
    return passages.nearest(question, most, pages, deadline);
  }

  private List<NearPassage> among(Query conditions) throws IOException {
    if (searcher.count(conditions) > FEW) return nearest(CHECKED, null);
    var ids = new HashSet<String>();
    for (var hit : searcher.search(conditions, FEW).scoreDocs) {
      ids.add(PageFields.id(searcher.getIndexReader(), hit.doc));
    }
    return ids.isEmpty() ? List.of() : nearest(PASSAGES, ids);
  }

  /// The pages that exist and meet the conditions.
  private Set<Integer> meeting(Set<String> ids, @Nullable Query conditions) throws IOException {
    if (ids.isEmpty()) return Set.of();
    var query = new BooleanQuery.Builder();
    query.add(named(ids), Occur.FILTER);
    query.add(new FieldExistsQuery(PageFields.GONE), Occur.MUST_NOT);
    if (conditions != null) query.add(conditions, Occur.FILTER);
    return docs(query.build(), ids.size());
  }

  /// The pages that a query finds too.
  Set<Integer> found(Query query, Map<Integer, NearPassage> pages) throws IOException {
    if (pages.isEmpty()) return Set.of();
    var both =
        new BooleanQuery.Builder()
            .add(named(pages.values().stream().map(NearPassage::id).toList()), Occur.FILTER)
            .add(query, Occur.FILTER)
            .build();
    return docs(both, pages.size());
  }

  /// Those of the pages that have no vectors yet.
  Set<Integer> waiting(List<Integer> pages) throws IOException {
    return passages.waiting(searcher.getIndexReader(), pages);
  }

  private Set<Integer> docs(Query query, int most) throws IOException {
    var docs = new HashSet<Integer>();
    var all = new TopScoreDocCollectorManager(Math.max(1, most), null, Integer.MAX_VALUE);
    for (var hit : searcher.search(query, all).scoreDocs) docs.add(hit.doc);
    return docs;
  }

  static Query named(Iterable<String> ids) {
    var terms = new ArrayList<BytesRef>();
    for (var id : ids) terms.add(new BytesRef(id));
    return new TermInSetQuery(PageFields.ID, terms);
  }

  private Map<String, Integer> numbers(Set<String> ids) throws IOException {
    var wanted = ids.stream().map(BytesRef::new).toList();
    var numbers = new HashMap<String, Integer>();
    for (var leaf : searcher.getIndexReader().leaves()) {
      PageLookup.find(leaf.reader(), wanted)
          .forEach((doc, id) -> numbers.put(id.utf8ToString(), leaf.docBase + doc));
    }
    return numbers;
  }
}
