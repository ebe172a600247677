package io.tidemill.lucene;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.store.FSDirectory;

/// Copies one commit of an index while this process or another writes it.
///
/// Files of an index never change: hard links keep those of the commit until they are copied.
public final class IndexSnapshot {
  private static final int TRIES = 20;

  private IndexSnapshot() {}

  /// Copies the last commit.
  ///
  /// @param target a new folder, or a file that ends with `.zip`
  /// @throws SearchException when there is no index, or the copy can't be written
  public static void take(Path index, Path target) {
    try {
      if (Files.exists(target)) throw new FileAlreadyExistsException(target.toString());
      var links = Files.createTempDirectory(index.toAbsolutePath().getParent(), ".snapshot");
      try {
        link(index, links);
        copy(links, target);
      } finally {
        delete(links);
      }
    } catch (IndexNotFoundException none) {
      throw new SearchException("there is no index in " + index, none);
    } catch (IOException failed) {
      throw new SearchException(
          "no snapshot of " + index + " in " + target + ": " + failed, failed);
    }
  }

  private static void link(Path index, Path links) throws IOException {
    for (var i = 1; ; i++) {
      try (var directory = FSDirectory.open(index);
          var reader = DirectoryReader.open(directory)) {
        link(index, links, reader.getIndexCommit().getFileNames());
        return;
      } catch (NoSuchFileException merged) {
        // The writer has deleted this commit meanwhile: there is a newer one.
        if (i == TRIES) throw merged;
        clear(links);
      }
    }
  }

  private static void link(Path index, Path links, Collection<String> names) throws IOException {
    for (var name : names) {
      try {
        Files.createLink(links.resolve(name), index.resolve(name));
      } catch (UnsupportedOperationException noLinks) {
        Files.copy(index.resolve(name), links.resolve(name));
      }
    }
  }

  private static void copy(Path links, Path target) throws IOException {
    if (target.toString().endsWith(".zip")) {
      zip(links, target);
      return;
    }
    Files.createDirectories(target);
    for (var file : files(links)) Files.copy(file, target.resolve(file.getFileName()));
  }

  private static void zip(Path links, Path target) throws IOException {
    try (var zip = new ZipOutputStream(Files.newOutputStream(target))) {
      for (var file : files(links)) {
        zip.putNextEntry(new ZipEntry(file.getFileName().toString()));
        Files.copy(file, zip);
        zip.closeEntry();
      }
    }
  }

  /// The commit file comes last, so that a partial copy is no index.
  private static Iterable<Path> files(Path dir) throws IOException {
    try (var files = Files.list(dir)) {
      return files.sorted(Comparator.comparing(IndexSnapshot::isCommit)).toList();
    }
  }

  private static boolean isCommit(Path file) {
    return file.getFileName().toString().startsWith(IndexFileNames.SEGMENTS);
  }

  private static void delete(Path dir) throws IOException {
    clear(dir);
    Files.deleteIfExists(dir);
  }

  private static void clear(Path dir) throws IOException {
    for (var file : files(dir)) Files.deleteIfExists(file);
  }
}
