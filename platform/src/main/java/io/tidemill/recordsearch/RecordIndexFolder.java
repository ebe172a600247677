package io.tidemill.recordsearch;

import io.tidemill.lucene.DerivedIndex;
import io.tidemill.lucene.SearchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of the record index, open for one writer. A damaged index is dropped, because it is
/// only a copy.
final class RecordIndexFolder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RecordIndexFolder.class);
  private static final double BUFFER_MB = 16;

  private final Path dir;
  private final FSDirectory directory;
  private final IndexWriter writer;
  private final Map<String, String> checkpoint;

  private RecordIndexFolder(
      Path dir, FSDirectory directory, IndexWriter writer, Map<String, String> checkpoint) {
    this.dir = dir;
    this.directory = directory;
    this.writer = writer;
    this.checkpoint = checkpoint;
  }

  /// @throws SearchException when another process writes there, or the folder can't be used
  static RecordIndexFolder open(Path dir, boolean dropExisting) {
    FSDirectory directory;
    try {
      directory = FSDirectory.open(dir);
    } catch (IOException failed) {
      throw failed(dir, "can't be opened", failed);
    }
    try {
      var checkpoint =
          dropExisting ? DerivedIndex.dropped(directory) : DerivedIndex.marks(directory);
      return new RecordIndexFolder(
          dir, directory, new IndexWriter(directory, config(checkpoint.isEmpty())), checkpoint);
    } catch (LockObtainFailedException taken) {
      close(directory);
      throw new SearchException("another process keeps the index in " + dir, taken);
    } catch (IOException failed) {
      close(directory);
      throw failed(dir, "can't be opened", failed);
    }
  }

  private static IndexWriterConfig config(boolean dropExisting) {
    var config = new IndexWriterConfig(RecordAnalyzer.ANALYZER);
    config.setRAMBufferSizeMB(BUFFER_MB);
    config.setCommitOnClose(false);
    config.setMergeScheduler(new QuietMerges());
    if (dropExisting) config.setOpenMode(OpenMode.CREATE);
    return config;
  }

  private static void close(FSDirectory directory) {
    try {
      directory.close();
    } catch (IOException failed) {
      log.debug("the index did not close cleanly: {}", failed.toString());
    }
  }

  IndexWriter writer() {
    return writer;
  }

  /// The checkpoint of the last commit before it was opened.
  Map<String, String> checkpoint() {
    return checkpoint;
  }

  /// Describes a failure.
  SearchException failed(String what, Exception cause) {
    return failed(dir, what, cause);
  }

  private static SearchException failed(Path dir, String what, Exception cause) {
    if (cause instanceof SearchException known) return known;
    var why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new SearchException("the index in " + dir + " " + what + ": " + why, cause);
  }

  /// Drops uncommitted changes.
  @Override
  public void close() {
    try (directory) {
      writer.rollback();
    } catch (IOException failed) {
      log.debug("the index in {} did not close cleanly: {}", dir, failed.toString());
    }
  }

  /// Logs a failed merge: the next commit reports it.
  private static final class QuietMerges extends ConcurrentMergeScheduler {
    @Override
    protected void handleMergeException(Throwable failed) {
      log.warn("merging the index failed: {}", failed.toString());
    }
  }
}
