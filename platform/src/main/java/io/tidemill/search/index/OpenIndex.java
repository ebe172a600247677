package io.tidemill.search.index;

import io.tidemill.search.RankingWeights;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A Lucene writer from its opening to its end, and what it needs to know of the pages it has.
public final class OpenIndex implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(OpenIndex.class);
  private static final double BUFFER_MB = 48;

  /// When the commit was made, in its user data.
  static final String COMMITTED_AT = "committedAt";

  /// The number of the last change in the commit, in its user data.
  private static final String LAST_SEQ = "lastSeq";

  private final Directory directory;
  private final IndexWriter writer;
  private final AtomicLong seq;
  private DirectoryReader reader;
  private Set<String> present = Set.of();

  private OpenIndex(Directory directory, IndexWriter writer, DirectoryReader reader, long seq) {
    this.directory = directory;
    this.writer = writer;
    this.reader = reader;
    this.seq = new AtomicLong(seq);
  }

  static OpenIndex in(Directory directory, long now) throws IOException {
    IndexWriter writer = null;
    try {
      writer = new IndexWriter(directory, config());
      if (!DirectoryReader.indexExists(directory)) {
        mark(writer, now, 0);
        writer.commit();
      }
      // Beyond what any earlier life of this folder can have used: a copy that is put back must not
      // use a number for another change.
      var last = seq(SegmentInfos.readLatestCommit(directory).getUserData());
      var seq = Math.max(last, now * 1_000);
      return new OpenIndex(directory, writer, DirectoryReader.open(writer), seq);
    } catch (IOException | RuntimeException failed) {
      if (writer != null) writer.rollback();
      directory.close();
      throw failed;
    }
  }

  public static IndexWriterConfig config() {
    var config = new IndexWriterConfig(new Gaps());
    config.setSimilarity(RankingWeights.SIMILARITY);
    config.setRAMBufferSizeMB(BUFFER_MB);
    config.setCommitOnClose(false);
    config.setMergeScheduler(new QuietMerges());
    return config;
  }

  /// Notes in the next commit when it was made and which change is its last.
  static void mark(IndexWriter writer, long now, long seq) {
    var marks = Map.of(COMMITTED_AT, Long.toString(now), LAST_SEQ, Long.toString(seq));
    writer.setLiveCommitData(marks.entrySet());
  }

  /// The number of the last change of a commit; 0 in an index that did not count them.
  static long seq(Map<String, String> marks) {
    return Long.parseLong(marks.getOrDefault(LAST_SEQ, "0"));
  }

  /// The number of the next change.
  long nextSeq() {
    return seq.incrementAndGet();
  }

  boolean isOpen() {
    return writer.isOpen();
  }

  /// The versions of those pages that the index has, or has had.
  Map<String, Long> versions(Collection<String> ids) throws IOException {
    // In the order of the terms, so that neighbours are found in the same block.
    var wanted = new TreeMap<BytesRef, String>();
    for (var id : ids) wanted.put(new BytesRef(id), id);
    var found = new HashMap<String, Long>();
    for (var leaf : reader.leaves()) versions(leaf.reader(), wanted, found);
    present = Set.copyOf(found.keySet());
    return found;
  }

  private static void versions(
      LeafReader leaf, Map<BytesRef, String> wanted, Map<String, Long> found) throws IOException {
    var terms = leaf.terms(PageFields.ID);
    var values = leaf.getNumericDocValues(PageFields.VERSION);
    if (terms == null || values == null) return;
    var at = terms.iterator();
    var alive = leaf.getLiveDocs();
    PostingsEnum postings = null;
    var hits = new TreeMap<Integer, String>();
    for (var entry : wanted.entrySet()) {
      if (!at.seekExact(entry.getKey())) continue;
      postings = at.postings(postings, PostingsEnum.NONE);
      for (int doc = postings.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = postings.nextDoc()) {
        if (alive == null || alive.get(doc)) hits.put(doc, entry.getValue());
      }
    }
    for (var hit : hits.entrySet()) {
      if (values.advanceExact(hit.getKey())) found.put(hit.getValue(), values.longValue());
    }
  }

  /// Writes a page in the place of its older version; [#versions] was asked about it before.
  void put(String url, Document document) throws IOException {
    var id = PageFields.id(url);
    // A page that is new needs no search for what it replaces: half of what an update costs.
    if (present.contains(id)) {
      writer.updateDocument(new Term(PageFields.ID, id), document);
    } else {
      writer.addDocument(document);
    }
  }

  void forget(Query query) throws IOException {
    writer.deleteDocuments(query);
  }

  /// Makes everything durable, then visible to [#versions].
  void commit(long now) throws IOException {
    mark(writer, now, seq.get());
    writer.commit();
    var newer = DirectoryReader.openIfChanged(reader, writer);
    if (newer == null) return;
    reader.close();
    reader = newer;
  }

  /// Ends without a trace of what was not committed.
  void rollback() {
    try (directory;
        var _ = reader) {
      writer.rollback();
    } catch (IOException | RuntimeException failed) {
      log.debug("the index writer ended badly: {}", failed.toString());
    }
  }

  @Override
  public void close() throws IOException {
    try (directory;
        var _ = reader) {
      writer.close();
    }
  }

  /// Text comes with its own analyzer; what is asked here is only the gap between its parts.
  private static final class Gaps extends AnalyzerWrapper {
    Gaps() {
      super(PER_FIELD_REUSE_STRATEGY);
    }

    @Override
    protected Analyzer getWrappedAnalyzer(String field) {
      return WordTokens.ANALYZER;
    }

    @Override
    public int getPositionIncrementGap(String field) {
      return 100;
    }
  }

  /// A failed merge is noticed by the next batch; until then it is worth a line, not a crash.
  private static final class QuietMerges extends ConcurrentMergeScheduler {
    @Override
    protected void handleMergeException(Throwable failed) {
      log.warn("merging the index failed: {}", failed.toString());
    }
  }
}
