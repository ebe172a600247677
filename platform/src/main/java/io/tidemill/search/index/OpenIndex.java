package io.tidemill.search.index;

import io.tidemill.search.RankingWeights;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An open Lucene writer, with a reader for the versions of the pages that it has.
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
      // Higher than any number used before, even when the folder is an older copy that was
      // restored:
      // no two changes have the same number.
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

  /// Writes time and last change number into the next commit.
  static void mark(IndexWriter writer, long now, long seq) {
    var marks = Map.of(COMMITTED_AT, Long.toString(now), LAST_SEQ, Long.toString(seq));
    writer.setLiveCommitData(marks.entrySet());
  }

  /// The last change number of a commit; 0 in an index of the time before there were numbers.
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
    var wanted = ids.stream().map(BytesRef::new).sorted().toList();
    var found = new HashMap<String, Long>();
    for (var leaf : reader.leaves()) {
      var values = leaf.reader().getNumericDocValues(PageFields.VERSION);
      if (values == null) continue;
      for (var page : PageLookup.find(leaf.reader(), wanted).entrySet()) {
        if (!values.advanceExact(page.getKey())) continue;
        found.put(page.getValue().utf8ToString(), values.longValue());
      }
    }
    present = Set.copyOf(found.keySet());
    return found;
  }

  /// Writes a page in the place of its older version; [#versions] was asked about it before.
  void put(String url, Document document) throws IOException {
    var id = PageFields.id(url);
    // Adding saves the lookup of an older version, which is half the cost of an update.
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

  /// Closes and drops what is not committed.
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

  /// Fields bring their own analyzer; the writer only asks for the gap between their values.
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

  /// Logs a failed merge; the next batch finds the writer closed and reopens it.
  private static final class QuietMerges extends ConcurrentMergeScheduler {
    @Override
    protected void handleMergeException(Throwable failed) {
      log.warn("merging the index failed: {}", failed.toString());
    }
  }
}
