package io.tidemill.search.query;

import io.tidemill.lucene.SearchDeadline;
import io.tidemill.search.index.PageFields;
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
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Pages near a question by their meaning, one hit a page, each with its best passage.
final class NearPageFinder {
  /// How many pages are looked for: behind these, meaning no longer tells good from bad.
  static final int PAGES = 100;

  /// A page has several passages, and often more than one of them is near.
  private static final int PASSAGES = 150;

  /// With more pages than this that meet the conditions, near passages are found first and checked
  /// then; with fewer, only theirs are looked at.
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

  /// The nearest pages by their numbers in this state of the index, the nearest first.
  ///
  /// @param conditions what every page must meet; null = nothing
  Map<Integer, NearPassage> find(@Nullable Query conditions) throws IOException {
    var near = conditions == null ? nearest(PASSAGES, null) : among(conditions);
    var best = new LinkedHashMap<String, NearPassage>();
    for (var passage : near) best.putIfAbsent(passage.id(), passage);
    var docs = new Docs(best.keySet()).find();
    var allowed = meeting(best.keySet(), conditions);
    var pages = new LinkedHashMap<Integer, NearPassage>();
    best.forEach((id, passage) -> {
      var doc = docs.get(id);
      if (doc != null && allowed.contains(doc) && pages.size() < PAGES) pages.put(doc, passage);
    });
    return pages;
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

  /// Those pages that are there and meet the conditions.
  private Set<Integer> meeting(Set<String> ids, @Nullable Query conditions) throws IOException {
    if (ids.isEmpty()) return Set.of();
    var query = new BooleanQuery.Builder();
    query.add(named(ids), Occur.FILTER);
    query.add(new FieldExistsQuery(PageFields.GONE), Occur.MUST_NOT);
    if (conditions != null) query.add(conditions, Occur.FILTER);
    return docs(query.build(), ids.size());
  }

  /// Those of the pages that a query finds.
  Set<Integer> found(Query query, Map<Integer, NearPassage> pages) throws IOException {
    if (pages.isEmpty()) return Set.of();
    var both =
        new BooleanQuery.Builder()
            .add(named(pages.values().stream().map(NearPassage::id).toList()), Occur.FILTER)
            .add(query, Occur.FILTER)
            .build();
    return docs(both, pages.size());
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

  /// Looks pages up by their ids.
  private final class Docs {
    private final Set<String> ids;
    private final Map<String, Integer> found = new HashMap<>();

    Docs(Set<String> ids) {
      this.ids = ids;
    }

    Map<String, Integer> find() throws IOException {
      for (var leaf : searcher.getIndexReader().leaves()) find(leaf);
      return found;
    }

    private void find(LeafReaderContext leaf) throws IOException {
      var terms = leaf.reader().terms(PageFields.ID);
      if (terms == null) return;
      var at = terms.iterator();
      var alive = leaf.reader().getLiveDocs();
      PostingsEnum docs = null;
      for (var id : ids) {
        if (!at.seekExact(new BytesRef(id))) continue;
        docs = at.postings(docs, PostingsEnum.NONE);
        for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
          if (alive == null || alive.get(doc)) found.put(id, leaf.docBase + doc);
        }
      }
    }
  }
}
