package io.tidemill.search.index;

import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/// Finds the documents of pages by their ids.
public final class PageLookup {
  private PageLookup() {}

  /// The live documents of one segment with one of these ids, by their number.
  ///
  /// @param ids quickest when sorted: neighbours lie in the same block
  public static SortedMap<Integer, BytesRef> find(LeafReader leaf, Iterable<BytesRef> ids)
      throws IOException {
    var found = new TreeMap<Integer, BytesRef>();
    var terms = leaf.terms(PageFields.ID);
    if (terms == null) return found;
    var at = terms.iterator();
    var live = leaf.getLiveDocs();
    PostingsEnum docs = null;
    for (var id : ids) {
      if (!at.seekExact(id)) continue;
      docs = at.postings(docs, PostingsEnum.NONE);
      for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
        if (live == null || live.get(doc)) found.put(doc, id);
      }
    }
    return found;
  }
}
