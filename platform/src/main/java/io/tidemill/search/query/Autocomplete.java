package io.tidemill.search.query;

import io.tidemill.lucene.IndexVocabulary;
import io.tidemill.lucene.SearchDeadline;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.index.WordTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/// Completes a text: by titles with that prefix, then by words.
///
/// It reads the index itself, so a new page counts as soon as it is indexed.
final class Autocomplete {
  private static final int LONGEST = 100;
  private static final int MOST_WORDS = 8;
  private static final int CANDIDATES = 50;

  private final DirectoryReader reader;
  private final IndexSearcher searcher;
  private final SearchDeadline deadline;

  Autocomplete(DirectoryReader reader, IndexSearcher searcher, SearchDeadline deadline) {
    this.reader = reader;
    this.searcher = searcher;
    this.deadline = deadline;
  }

  List<String> of(String text, int size) throws IOException {
    var typed = text.substring(0, Math.min(text.length(), LONGEST)).stripLeading();
    var words = WordTokens.positions(WordTokens.ANALYZER, typed);
    if (words.isEmpty() || words.size() > MOST_WORDS) return List.of();
    var found = new LinkedHashSet<String>();
    addTitles(WordTokens.fold(typed).replaceAll("\\s+", " "), (size + 1) / 2, found);
    addWords(words, typed.endsWith(" "), size, found);
    return found.stream().limit(size).toList();
  }

  private void addTitles(String typed, int most, Set<String> found) throws IOException {
    var keys = IndexVocabulary.beginningWith(reader, PageFields.TITLE_KEY, typed, most, deadline);
    for (var key : keys.keySet()) title(key, found);
  }

  private void title(BytesRef key, Set<String> found) throws IOException {
    var query = new TermQuery(new Term(PageFields.TITLE_KEY, key));
    var doc = searcher.search(query, 1).scoreDocs;
    if (doc.length == 0) return;
    var title = reader.storedFields().document(doc[0].doc, Set.of("title")).get("title");
    if (title != null) found.add(title.strip().replaceAll("\\s+", " "));
  }

  private void addWords(
      List<WordTokens.Position> words, boolean complete, int size, Set<String> found)
      throws IOException {
    if (complete) return;
    var last = words.getLast().exact();
    var before = words.stream().limit(words.size() - 1).map(WordTokens.Position::exact).toList();
    var candidates =
        IndexVocabulary.beginningWith(reader, PageFields.WORDS, last, CANDIDATES, deadline);
    for (var candidate : candidates.keySet()) {
      if (found.size() >= size || deadline.shouldExit()) return;
      var word = candidate.utf8ToString();
      if (!before.isEmpty() && !together(before, word)) continue;
      var phrase = new ArrayList<>(before);
      phrase.add(word);
      found.add(String.join(" ", phrase));
    }
  }

  private boolean together(List<String> before, String word) throws IOException {
    var all = new BooleanQuery.Builder();
    for (var other : before) all.add(query(other), Occur.FILTER);
    all.add(query(word), Occur.FILTER);
    return searcher.search(all.build(), 1).scoreDocs.length > 0;
  }

  private static TermQuery query(String word) {
    return new TermQuery(new Term(PageFields.WORDS, word));
  }
}
