package io.tidemill.lucene;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.FSDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An index that can be rebuilt from other data: when it is damaged, it is dropped.
public final class DerivedIndex {
  private static final Logger log = LoggerFactory.getLogger(DerivedIndex.class);

  private DerivedIndex() {}

  /// The user data of the last commit; empty when there is none that can be read.
  public static Map<String, String> marks(FSDirectory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) return Map.of();
    // Opens every file, so that damage is detected here and not while updating.
    try (var reader = DirectoryReader.open(directory)) {
      return Map.copyOf(reader.getIndexCommit().getUserData());
    } catch (CorruptIndexException
        | IndexFormatTooNewException
        | IndexFormatTooOldException
        | EOFException
        | FileNotFoundException
        | NoSuchFileException damaged) {
      log.warn(
          "the index in {} is damaged and made anew: {}",
          directory.getDirectory(),
          damaged.toString());
      return dropped(directory);
    }
  }

  /// Deletes all files: Lucene creates no index where it can't read the old one.
  ///
  /// @return the user data of an empty index
  public static Map<String, String> dropped(FSDirectory directory) throws IOException {
    try (var _ = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      for (var file : directory.listAll()) {
        if (!file.equals(IndexWriter.WRITE_LOCK_NAME)) directory.deleteFile(file);
      }
    }
    return Map.of();
  }
}
