package io.tidemill.recordsearch;

import io.tidemill.lucene.SearchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A Lucene index of records in its own folder: written by one thread, searched by many.
///
/// Its size is limited; the oldest records are removed. Each commit contains the writer's
/// checkpoint, so after a crash it reads the last few changes again.
///
/// Every method may throw [SearchException].
public final class RecordIndex implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RecordIndex.class);

  // Removes 1/50 more than necessary, to search for the oldest less often.
  private static final int SLACK = 50;

  private final int keep;
  private final RecordIndexFolder folder;
  private final IndexWriter writer;
  private final RecordSearcher searcher;
  private boolean changed;

  /// Opens the index, or creates an empty one; a damaged one is dropped, because it is only a copy.
  ///
  /// @param keep maximum number of records
  /// @throws SearchException when another process writes there, or the folder can't be used
  public RecordIndex(Path dir, int keep, boolean dropExisting) {
    this.keep = keep;
    folder = RecordIndexFolder.open(dir, dropExisting);
    writer = folder.writer();
    try {
      searcher = new RecordSearcher(folder);
    } catch (IOException failed) {
      folder.close();
      throw folder.failed("can't be opened", failed);
    }
  }

  /// The part of the last commit's checkpoint with this prefix.
  public Map<String, String> checkpoint(String prefix) {
    var some = new HashMap<String, String>();
    folder
        .checkpoint()
        .forEach((name, value) -> {
          if (name.startsWith(prefix)) some.put(name.substring(prefix.length()), value);
        });
    return some;
  }

  /// Adds a record, or replaces it.
  public void put(IndexedRecord record) {
    writing(() -> {
      writer.updateDocument(
          RecordFields.key(record.kind(), record.id()), RecordFields.document(record));
    });
  }

  public void remove(String kind, String id) {
    writing(() -> writer.deleteDocuments(RecordFields.key(kind, id)));
  }

  /// Removes expired records.
  public void expire(long now) {
    var over = LongPoint.newRangeQuery(RecordFields.UNTIL, 1, now);
    if (searcher.count(over) > 0) writing(() -> writer.deleteDocuments(over));
  }

  /// Whether there are changes since the last commit.
  public boolean isChanged() {
    return changed;
  }

  /// Makes all changes durable and visible, together with the checkpoint.
  public void commit(Map<String, String> checkpoint) {
    searcher.refresh();
    writing(() -> {
      trim();
      writer.setLiveCommitData(checkpoint.entrySet());
      writer.commit();
    });
    searcher.refresh();
    changed = false;
  }

  private void trim() throws IOException {
    var over = searcher.size() - keep;
    if (over <= 0) return;
    var most = (int) Math.min(over + keep / SLACK, Integer.MAX_VALUE / 2);
    for (var key : searcher.oldest(most)) writer.deleteDocuments(new Term(RecordFields.KEY, key));
  }

  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  private void writing(Change change) {
    try {
      change.make();
      changed = true;
    } catch (IOException | RuntimeException failed) {
      throw folder.failed("was not written", failed);
    }
  }

  /// The number of records.
  public long size() {
    return searcher.size();
  }

  /// Finds records.
  ///
  /// @param text an id, its beginning, or words; empty for everything
  /// @param kind empty for all
  public RecordSearchResult search(String text, String kind, int limit) {
    return searcher.search(text, kind, limit);
  }

  /// A record, including uncommitted changes.
  public Optional<IndexedRecord> find(String kind, String id) {
    return searcher.find(kind, id);
  }

  /// The ids of records with this status.
  public List<String> withStatus(String kind, String status) {
    return searcher.ids(kind, new Term(RecordFields.STATUS, IndexedRecord.cut(status, 100)));
  }

  /// The ids of records of this source.
  public List<String> ofSource(String kind, String source) {
    return searcher.ids(kind, new Term(RecordFields.SOURCE, source));
  }

  /// Drops uncommitted changes.
  @Override
  public void close() {
    try (folder) {
      searcher.close();
    } catch (IOException failed) {
      log.debug("the index did not close cleanly: {}", failed.toString());
    }
  }
}
