package io.tidemill.store.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;

/// Writes an index anew from the pages it keeps, by the rules of today.
///
/// The old pages are found until the very end; then the new ones take their place in one step. A
/// rebuild that is killed leaves the index as it was.
public final class IndexRebuild {
  private IndexRebuild() {}

  /// Rebuilds an index that nobody else writes meanwhile, and returns how many pages it has.
  ///
  /// @throws SearchException when another process writes the index, or the disk is full
  public static long run(Path index, InstantSource clock) {
    try (var directory = FSDirectory.open(index);
        var writer = new IndexWriter(directory, OpenIndex.config());
        var pages = DirectoryReader.open(directory)) {
      return run(index, writer, pages, clock);
    } catch (LockObtainFailedException taken) {
      throw new SearchException("another process is writing the index in " + index, taken);
    } catch (IOException failed) {
      throw new SearchException("the index in " + index + " was not rebuilt: " + failed, failed);
    }
  }

  private static long run(
      Path index, IndexWriter writer, DirectoryReader pages, InstantSource clock)
      throws IOException {
    var fresh = Files.createTempDirectory(index.toAbsolutePath().getParent(), ".rebuild");
    try (var directory = FSDirectory.open(fresh)) {
      var count = copy(pages, directory);
      writer.deleteAll();
      writer.addIndexes(directory);
      var now = Long.toString(clock.millis());
      writer.setLiveCommitData(Map.of(OpenIndex.COMMITTED_AT, now).entrySet());
      writer.commit();
      return count;
    } finally {
      delete(fresh);
    }
  }

  private static long copy(DirectoryReader pages, FSDirectory to) throws IOException {
    var count = 0L;
    try (var writer = new IndexWriter(to, OpenIndex.config().setCommitOnClose(true))) {
      for (var leaf : pages.leaves()) count += copy(leaf.reader(), writer);
    }
    return count;
  }

  private static long copy(LeafReader leaf, IndexWriter to) throws IOException {
    var count = 0L;
    var alive = leaf.getLiveDocs();
    var stored = leaf.storedFields();
    for (var doc = 0; doc < leaf.maxDoc(); doc++) {
      if (alive != null && !alive.get(doc)) continue;
      var page = PageFields.page(stored.document(doc));
      if (page.url().isEmpty()) {
        to.addDocument(PageFields.tombstone(leaf, doc));
      } else {
        to.addDocument(PageFields.document(page));
        count++;
      }
    }
    return count;
  }

  private static void delete(Path dir) throws IOException {
    try (var files = Files.walk(dir)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
