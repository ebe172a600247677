package io.tidemill.processor.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchFolderTest {
  @TempDir private Path parent;

  @Test
  void deletesWhatTheDeadLeft() throws IOException {
    var dead = Files.createDirectories(parent.resolve("run-of-the-dead/deep"));
    Files.writeString(dead.resolve("records.ndjson"), "{}");
    Files.createFile(parent.resolve("run-of-the-dead/in-use"));
    var beginning = Files.createDirectory(parent.resolve("run-beginning"));
    var other = Files.createFile(parent.resolve("not-ours"));

    try (var scratch = ScratchFolder.in(parent)) {
      assertThat(parent.resolve("run-of-the-dead")).doesNotExist();
      assertThat(beginning).exists();
      assertThat(other).exists();
      assertThat(scratch.folder()).isDirectory();
    }
  }

  @Test
  void leavesTheLivingAlone() throws IOException {
    try (var first = ScratchFolder.in(parent)) {
      var file = Files.createTempFile(first.folder(), "records", ".gz");
      try (var second = ScratchFolder.in(parent)) {
        assertThat(file).exists();
        assertThat(second.folder()).isNotEqualTo(first.folder());
      }
      assertThat(file).exists();
    }

    assertThat(parent).isEmptyDirectory();
  }
}
