package io.tidemill.app.upgrade;

import io.tidemill.config.SettingsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/// The file `version` in a data folder.
final class FolderStamp {
  static final String NAME = "version";

  // Present before the first start, or created when the folder is locked: they hold no data.
  private static final Set<String> NO_DATA =
      Set.of("plugins", "templates", "tidemill.lock", NAME + ".new");

  private final Path folder;
  private final Path file;

  FolderStamp(Path folder) {
    this.folder = folder;
    file = folder.resolve(NAME);
  }

  /// The folder's stamp; [Stamp#NONE] when it has data and none, empty when it has neither.
  ///
  /// @throws SettingsException when it can't be read
  Optional<Stamp> read() {
    try {
      return Optional.of(Stamp.parse(Files.readString(file)));
    } catch (NoSuchFileException none) {
      return hasData() ? Optional.of(Stamp.NONE) : Optional.empty();
    } catch (IOException | IllegalArgumentException damaged) {
      throw new SettingsException(
          ("data.dir is '%s': its file '%s' is damaged (%s); expected the lines format=N and"
                  + " written-by=VERSION: restore it from a backup, or name another folder with --data")
              .formatted(folder, NAME, damaged.getMessage()),
          damaged);
    }
  }

  private boolean hasData() {
    if (!Files.isDirectory(folder)) return false;
    try (var entries = Files.list(folder)) {
      return entries.anyMatch(entry -> !NO_DATA.contains(String.valueOf(entry.getFileName())));
    } catch (IOException unreadable) {
      throw new SettingsException(
          "data.dir is '%s': it can't be read (%s)".formatted(folder, unreadable), unreadable);
    }
  }

  /// Writes the stamp in one step that survives the machine's death.
  void write(Stamp stamp) {
    var draft = folder.resolve(NAME + ".new");
    try {
      try (var channel =
          FileChannel.open(
              draft,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        var bytes = ByteBuffer.wrap(stamp.text().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) channel.write(bytes);
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      // The new name is on disk only when the folder is.
      try (var entries = FileChannel.open(folder, StandardOpenOption.READ)) {
        entries.force(true);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
