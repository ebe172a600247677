package io.tidemill.search.index;

import io.tidemill.lucene.SearchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;

/// Rebuilds an index from its stored pages with the current analyzers.
///
/// Searches see the old index until one commit replaces it; a rebuild that is killed changes
/// nothing.
public final class IndexRebuild {
  private IndexRebuild() {}

  /// Rebuilds an index and returns the number of its pages.
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
      var marks = pages.getIndexCommit().getUserData();
      var copy = new Copy(OpenIndex.seq(marks));
      copy.all(pages, directory);
      writer.deleteAll();
      writer.addIndexes(directory);
      OpenIndex.mark(writer, clock.millis(), copy.seq, OpenIndex.idOrNew(marks));
      writer.commit();
      return copy.count;
    } finally {
      delete(fresh);
    }
  }

  /// Copies pages; those without a change number get the next ones.
  private static final class Copy {
    private long count;
    private long seq;

    Copy(long seq) {
      this.seq = seq;
    }

    void all(DirectoryReader pages, FSDirectory to) throws IOException {
      try (var writer = new IndexWriter(to, OpenIndex.config().setCommitOnClose(true))) {
        for (var leaf : pages.leaves()) all(leaf.reader(), writer);
      }
    }

    private void all(LeafReader leaf, IndexWriter to) throws IOException {
      var alive = leaf.getLiveDocs();
      var stored = leaf.storedFields();
      var numbers = DocValues.getNumeric(leaf, PageFields.SEQ);
      for (var doc = 0; doc < leaf.maxDoc(); doc++) {
        if (alive != null && !alive.get(doc)) continue;
        var number = numbers.advanceExact(doc) ? numbers.longValue() : ++seq;
        var page = PageFields.page(stored.document(doc));
        if (page.url().isEmpty()) {
          to.addDocument(PageFields.tombstone(leaf, doc, number));
        } else {
          to.addDocument(PageFields.document(page, number));
          count++;
        }
      }
    }
  }

  private static void delete(Path dir) throws IOException {
    try (var files = Files.walk(dir)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
