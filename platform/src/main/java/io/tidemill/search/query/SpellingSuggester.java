package io.tidemill.search.query;

import io.tidemill.lucene.ExactWordFilter;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.index.WordTokens;
import java.io.IOException;
import java.util.HashMap;
import java.util.Optional;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.spell.DirectSpellChecker;
import org.apache.lucene.search.spell.SuggestMode;

/// Corrects words that the index does not have.
final class SpellingSuggester {
  private SpellingSuggester() {}

  /// The text with its unknown words replaced by similar ones that the index has.
  static Optional<String> correct(String text, QueryPlan plan, IndexReader reader)
      throws IOException {
    var corrections = new HashMap<String, String>();
    for (var word : plan.unknown()) {
      similar(word, reader).ifPresent(better -> corrections.put(word, better));
    }
    if (corrections.isEmpty()) return Optional.empty();
    var corrected = text;
    for (var entry : corrections.entrySet()) {
      corrected = corrected.replace(entry.getKey(), entry.getValue());
    }
    return corrected.equalsIgnoreCase(text) ? Optional.empty() : Optional.of(corrected);
  }

  private static Optional<String> similar(String word, IndexReader reader) throws IOException {
    var checker = new DirectSpellChecker();
    checker.setMaxEdits(2);
    checker.setMinPrefix(1);
    checker.setMinQueryLength(4);
    var folded = WordTokens.fold(word);
    var plain =
        checker.suggestSimilar(
            new Term(PageFields.WORDS, folded), 1, reader, SuggestMode.SUGGEST_MORE_POPULAR);
    if (plain.length > 0) return Optional.of(plain[0].string);
    checker.setMinPrefix(2);
    var marked =
        checker.suggestSimilar(
            new Term(PageFields.TEXT, ExactWordFilter.MARK + folded),
            1,
            reader,
            SuggestMode.SUGGEST_MORE_POPULAR);
    return marked.length > 0 ? Optional.of(marked[0].string.substring(1)) : Optional.empty();
  }
}
