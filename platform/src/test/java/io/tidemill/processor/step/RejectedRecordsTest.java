package io.tidemill.processor.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RejectedRecordsTest {
  @TempDir private Path scratch;

  @Test
  void leavesNoFileWhenTheDiskIsFull() throws IOException {
    var rejects =
        new RejectedRecords(
            MemoryCall.of("{}"),
            new RejectStore((name, _) -> "s3://aside/" + name, scratch),
            _ -> new FullDisk());
    rejects.add(1, Json.object(), List.of("odd"));

    assertThatThrownBy(rejects::close).hasMessage("no space left");

    try (var left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  private static final class FullDisk extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      throw new IOException("no space left");
    }
  }
}
