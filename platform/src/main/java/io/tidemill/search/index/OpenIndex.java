package io.tidemill.search.index;

import io.tidemill.search.RankingWeights;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
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
import org.apache.lucene.store.FSDirectory;
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

  /// What the index is known by wherever its folder is, in the user data of every commit.
  private static final String INDEX_ID = "indexId";

  private final Directory directory;
  private final IndexWriter writer;
  private final String id;
  private final AtomicLong seq;
  private DirectoryReader reader;
  private Set<String> present = Set.of();

  private OpenIndex(
      Directory directory, IndexWriter writer, DirectoryReader reader, String id, long seq) {
    this.directory = directory;
    this.writer = writer;
    this.id = id;
    this.reader = reader;
    this.seq = new AtomicLong(seq);
  }

  static OpenIndex in(Directory directory, long now) throws IOException {
    IndexWriter writer = null;
    try {
      writer = new IndexWriter(directory, config());
      var marks = marks(directory);
      var id = idOrNew(marks);
      if (!id.equals(id(marks))) {
        mark(writer, now, seq(marks), id);
        writer.commit();
      }
      // Higher than any number used before, even when the folder is an older copy that was
      // restored:
      // no two changes have the same number.
      var seq = Math.max(seq(marks), now * 1_000);
      return new OpenIndex(directory, writer, DirectoryReader.open(writer), id, seq);
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

  private static Map<String, String> marks(Directory directory) throws IOException {
    return DirectoryReader.indexExists(directory)
        ? SegmentInfos.readLatestCommit(directory).getUserData()
        : Map.of();
  }

  /// The id of the index in a folder; empty when there is none, or it is of the time before ids.
  static String id(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) return "";
    try (var directory = FSDirectory.open(folder)) {
      return id(marks(directory));
    } catch (NoSuchFileException | FileNotFoundException replaced) {
      return ""; // the next look finds the new one
    }
  }

  /// The id of a commit; empty in an index of the time before ids.
  static String id(Map<String, String> marks) {
    return marks.getOrDefault(INDEX_ID, "");
  }

  /// The id of a commit, or one for an index that has none yet.
  static String idOrNew(Map<String, String> marks) {
    return marks.getOrDefault(INDEX_ID, UUID.randomUUID().toString());
  }

  String id() {
    return id;
  }

  /// Writes time, last change number and id into the next commit.
  static void mark(IndexWriter writer, long now, long seq, String id) {
    var marks =
        Map.of(COMMITTED_AT, Long.toString(now), LAST_SEQ, Long.toString(seq), INDEX_ID, id);
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
    mark(writer, now, seq.get(), id);
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
