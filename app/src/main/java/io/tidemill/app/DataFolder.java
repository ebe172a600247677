package io.tidemill.app;

import io.tidemill.config.SettingsException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A data folder that belongs to this process until it is closed.
final class DataFolder implements AutoCloseable {
  private final FileChannel lock;

  private DataFolder(FileChannel lock) {
    this.lock = lock;
  }

  /// Takes the folder, making it if need be.
  ///
  /// @throws SettingsException when it can't be written, or another instance has it
  static DataFolder take(Path dir) {
    try {
      Files.createDirectories(dir.resolve("plugins"));
      var file = dir.resolve("tidemill.lock");
      var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!tryLock(channel)) {
        channel.close();
        throw new SettingsException(
            "data.dir is '%s': another Tidemill is running there; stop it, or name another folder with --data"
                .formatted(dir));
      }
      return new DataFolder(channel);
    } catch (IOException unusable) {
      throw new SettingsException(
          "data.dir is '%s': it can't be used (%s); expected a folder that can be written"
              .formatted(dir, unusable));
    }
  }

  /// Whether an instance runs there now.
  static boolean isTaken(Path dir) {
    var file = dir.resolve("tidemill.lock");
    if (!Files.exists(file)) return false;
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return !tryLock(channel);
    } catch (IOException unreadable) {
      return false;
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException ours) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException harmless) {
      // The lock goes with the process.
    }
  }
}
