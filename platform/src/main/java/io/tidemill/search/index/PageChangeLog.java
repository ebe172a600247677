package io.tidemill.search.index;

import io.tidemill.search.PageDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;

/// The changes of an index in the order of their numbers, read from the index itself: of each page
/// only the last one is there.
public final class PageChangeLog {
  private static final Sort IN_ORDER = new Sort(new SortField(PageFields.SEQ, SortField.Type.LONG));

  /// Longer texts are read up to here.
  private static final int MOST_TEXT = 500_000;

  private static final Set<String> FIELDS = Set.of("url", "title", "main", PageFields.ID);

  private final DirectoryReader reader;

  public PageChangeLog(DirectoryReader reader) {
    this.reader = reader;
  }

  /// A page that was put, or removed.
  public record Change(String id, long seq, Optional<Text> page) {}

  /// The text that passages are made of.
  ///
  /// @param main cut to what is read
  /// @param hash of the whole text
  public record Text(String id, String title, String main, String hash) {
    static Text of(PageDocument page) {
      var main = page.main();
      return new Text(
          PageFields.id(page.url()),
          page.title(),
          main.substring(0, Math.min(main.length(), MOST_TEXT)),
          hash(page));
    }

    /// As long as it is the same, passages have the same offsets.
    public static String hash(PageDocument page) {
      return PageFields.sha256(page.title() + "\n" + page.main());
    }

    public boolean isEmpty() {
      return title.isBlank() && main.isBlank();
    }
  }

  /// The number of the last change.
  public long last() throws IOException {
    return OpenIndex.seq(reader.getIndexCommit().getUserData());
  }

  /// The changes after that one.
  public List<Change> after(long seq, int most) throws IOException {
    var changes = new ArrayList<Change>();
    var found = new IndexSearcher(reader).search(numbersAfter(seq), most, IN_ORDER).scoreDocs;
    for (var doc : found) changes.add(change(doc.doc));
    return changes;
  }

  public long countAfter(long seq) throws IOException {
    return new IndexSearcher(reader).count(numbersAfter(seq));
  }

  private static Query numbersAfter(long seq) {
    return LongPoint.newRangeQuery(PageFields.SEQ, seq + 1, Long.MAX_VALUE);
  }

  /// Pages from before changes had numbers, in the order of their ids.
  ///
  /// @param afterId the last one read before; empty = from the beginning
  public List<Change> unnumbered(String afterId, int most) throws IOException {
    var changes = new ArrayList<Change>();
    var terms = MultiTerms.getTerms(reader, PageFields.ID);
    if (terms == null || countUnnumbered(afterId) == 0) return changes;
    var at = terms.iterator();
    var found = at.seekCeil(new BytesRef(afterId));
    if (found == TermsEnum.SeekStatus.END) return changes;
    var term = found == TermsEnum.SeekStatus.FOUND && !afterId.isEmpty() ? at.next() : at.term();
    for (; term != null && changes.size() < most; term = at.next()) {
      var doc = alive(at);
      if (doc >= 0 && number(PageFields.SEQ, doc).isEmpty()) {
        var change = change(doc);
        if (change.page().isPresent()) changes.add(change);
      }
    }
    return changes;
  }

  public long countUnnumbered(String afterId) throws IOException {
    return new IndexSearcher(reader)
        .count(
            new BooleanQuery.Builder()
                .add(
                    TermRangeQuery.newStringRange(PageFields.ID, afterId, null, false, false),
                    Occur.FILTER)
                .add(new FieldExistsQuery(PageFields.SEQ), Occur.MUST_NOT)
                .add(new FieldExistsQuery(PageFields.GONE), Occur.MUST_NOT)
                .build());
  }

  /// Whether there is a page of that id.
  public boolean has(String id) throws IOException {
    var ids = List.of(new BytesRef(id));
    for (var leaf : reader.leaves()) {
      var gone = DocValues.getNumeric(leaf.reader(), PageFields.GONE);
      for (var doc : PageLookup.find(leaf.reader(), ids).keySet()) {
        if (!gone.advanceExact(doc)) return true;
      }
    }
    return false;
  }

  private int alive(TermsEnum at) throws IOException {
    var live = MultiBits.getLiveDocs(reader);
    var docs = at.postings(null, PostingsEnum.NONE);
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if (live == null || live.get(doc)) return doc;
    }
    return -1;
  }

  private Change change(int doc) throws IOException {
    var stored = reader.storedFields().document(doc, FIELDS);
    var page = PageFields.page(stored);
    var seq = number(PageFields.SEQ, doc).orElse(0L);
    if (!page.url().isEmpty()) {
      var text = Text.of(page);
      return new Change(text.id(), seq, Optional.of(text));
    }
    var id = stored.get(PageFields.ID);
    return new Change(id == null ? "" : id, seq, Optional.empty());
  }

  /// Whether the last change of a page comes after those that were read.
  ///
  /// @param seq of the last change that was read
  /// @param afterId of the last page without number that was read
  public static boolean isAfter(IndexReader reader, int doc, long seq, String afterId)
      throws IOException {
    var number = number(reader, PageFields.SEQ, doc);
    if (number.isPresent()) return number.get() > seq;
    return PageFields.id(reader, doc).compareTo(afterId) > 0;
  }

  private Optional<Long> number(String field, int doc) throws IOException {
    return number(reader, field, doc);
  }

  private static Optional<Long> number(IndexReader reader, String field, int doc)
      throws IOException {
    var leaves = reader.leaves();
    var leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
    var values = DocValues.getNumeric(leaf.reader(), field);
    return values.advanceExact(doc - leaf.docBase)
        ? Optional.of(values.longValue())
        : Optional.empty();
  }
}
