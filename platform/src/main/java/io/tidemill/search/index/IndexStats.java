package io.tidemill.search.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/// The size of an index.
///
/// @param committedAt the last commit; null without index
public record IndexStats(long documents, long bytes, @Nullable Instant committedAt) {
  public static final IndexStats NONE = new IndexStats(0, 0, null);

  public static IndexStats of(DirectoryReader reader, Path dir) throws IOException {
    var commit = reader.getIndexCommit();
    var gone = new IndexSearcher(reader).count(new FieldExistsQuery(PageFields.GONE));
    var bytes = 0L;
    for (var name : commit.getFileNames()) {
      var file = dir.resolve(name);
      if (Files.exists(file)) bytes += Files.size(file);
    }
    var at = commit.getUserData().get(OpenIndex.COMMITTED_AT);
    return new IndexStats(
        reader.numDocs() - gone,
        bytes,
        at == null ? null : Instant.ofEpochMilli(Long.parseLong(at)));
  }
}
