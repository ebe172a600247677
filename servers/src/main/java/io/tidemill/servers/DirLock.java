package io.tidemill.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sole right to a server's directory. It ends with this JVM at the latest, even a killed one.
final class DirLock implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DirLock.class);

  private final FileChannel channel;

  private DirLock(FileChannel channel) {
    this.channel = channel;
  }

  /// Creates the directory if it is missing.
  static DirLock of(LocalServer server, Path dir) throws IOException {
    Files.createDirectories(dir);
    var file = dir.resolve(server.name() + ".lock");
    var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) return new DirLock(channel);
    } catch (OverlappingFileLockException ours) {
      // another server in this JVM
    }
    channel.close();
    throw new ServerException(
        "%s on port %d did not start: %s is in use".formatted(server.name(), server.port(), dir),
        null);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("a directory was not released", e);
    }
  }
}
