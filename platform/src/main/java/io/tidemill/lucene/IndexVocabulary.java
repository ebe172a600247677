package io.tidemill.lucene;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/// The terms of an index.
public final class IndexVocabulary {
  private static final int MAX_SCANNED = 20_000;

  private IndexVocabulary() {}

  /// Terms with a prefix and their document frequencies, the most frequent first.
  ///
  /// Of a prefix with very many terms only some are read (F50).
  public static Map<BytesRef, Integer> beginningWith(
      IndexReader reader, String field, String prefix, int most, SearchDeadline deadline)
      throws IOException {
    var counts = new HashMap<BytesRef, Integer>();
    var wanted = new BytesRef(prefix);
    var share = MAX_SCANNED / Math.max(1, reader.leaves().size()) + 100;
    for (var leaf : reader.leaves()) {
      var terms = leaf.reader().terms(field);
      if (terms != null) scan(terms, wanted, counts, share, deadline);
    }
    var order =
        Map.Entry.<BytesRef, Integer>comparingByValue(Comparator.reverseOrder())
            .thenComparing(Map.Entry.comparingByKey());
    var best = new LinkedHashMap<BytesRef, Integer>();
    counts.entrySet().stream()
        .sorted(order)
        .limit(most)
        .forEach(entry -> best.put(entry.getKey(), entry.getValue()));
    return best;
  }

  private static void scan(
      Terms terms,
      BytesRef prefix,
      Map<BytesRef, Integer> counts,
      int most,
      SearchDeadline deadline)
      throws IOException {
    var at = terms.iterator();
    if (at.seekCeil(prefix) == TermsEnum.SeekStatus.END) return;
    var scanned = 0;
    for (var term = at.term();
        term != null && StringHelper.startsWith(term, prefix);
        term = at.next()) {
      if (++scanned > most || (scanned % 1_024 == 0 && deadline.shouldExit())) return;
      counts.merge(BytesRef.deepCopyOf(term), at.docFreq(), Integer::sum);
    }
  }
}
