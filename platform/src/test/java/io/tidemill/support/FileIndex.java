package io.tidemill.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.lucene.SearchException;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// An index that is a list of what was asked of it, in a file that survives its process.
public final class FileIndex implements PageIndex {
  private final Path file;
  private final long stuckAfter;
  private long applied;

  /// @param stuckAfter after so many changes it has them and never returns
  public FileIndex(Path file, long stuckAfter) {
    this.file = file;
    this.stuckAfter = stuckAfter;
  }

  @Override
  public void apply(List<PageChange> changes) {
    var lines = new StringBuilder();
    for (var change : changes) lines.append(change.url()).append('\n');
    try (var out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(ByteBuffer.wrap(lines.toString().getBytes(UTF_8)));
      out.force(true);
      applied += changes.size();
      if (applied >= stuckAfter) {
        Files.createFile(file.resolveSibling("stuck"));
        new CountDownLatch(1).await();
      }
    } catch (IOException | InterruptedException failed) {
      throw new SearchException("file", failed);
    }
  }

  @Override
  public void close() {}
}
