package io.tidemill.processor.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A temporary folder of this process. The next process deletes the folders of killed ones.
public final class ScratchFolder implements AutoCloseable {
  private static final String LOCK = "in-use";

  // Merely to open a lock's file and close it again would end this process' own lock on it.
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileLock lock;

  private ScratchFolder(Path folder, FileLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /// Creates a folder below one that several processes may share.
  public static ScratchFolder in(Path parent) {
    try {
      var real = Files.createDirectories(parent).toRealPath();
      sweep(real);
      var folder = Files.createTempDirectory(real, "run");
      OURS.add(folder);
      var lock = lock(folder);
      if (lock == null) throw new IOException("folder " + folder + " is taken");
      return new ScratchFolder(folder, lock);
    } catch (IOException failed) {
      throw new UncheckedIOException("there is no room for files in " + parent, failed);
    }
  }

  public Path folder() {
    return folder;
  }

  private static void sweep(Path parent) throws IOException {
    try (var folders = Files.newDirectoryStream(parent, "run*")) {
      for (var folder : folders) {
        // Another process is just creating one without a lock.
        if (OURS.contains(folder) || !Files.exists(folder.resolve(LOCK))) continue;
        var lock = lock(folder);
        if (lock == null) continue;
        try (var _ = lock.acquiredBy()) {
          delete(folder);
        }
      }
    }
  }

  private static @Nullable FileLock lock(Path folder) throws IOException {
    FileChannel file = null;
    FileLock lock = null;
    try {
      file =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = file.tryLock();
      return lock;
    } catch (NoSuchFileException swept) {
      return null;
    } finally {
      if (lock == null && file != null) file.close();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() {
    try (var _ = lock.acquiredBy()) {
      delete(folder);
    } catch (IOException left) {
      throw new UncheckedIOException("folder " + folder + " can't be deleted", left);
    } finally {
      OURS.remove(folder);
    }
  }
}
