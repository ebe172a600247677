package io.tidemill.collector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.ZstdOutputStream;
import io.tidemill.analytics.ProjectOverview.Totals;
import io.tidemill.collector.CollectorMain.Death;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.support.BrokerJ;
import io.tidemill.support.ForeignProgram;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A batch of a gigabyte, in a collector with a quarter of that (C5.6).
class GigabyteIT {
  private static final int ITEMS = 5_000;
  private static final int EACH = 215_000;

  @TempDir private Path folder;

  @Test
  void aGigabyteFitsIntoAQuarterOfIt() throws Exception {
    try (var rig = new CollectorRig(folder);
        var stranger = new ForeignProgram(BrokerJ.shared().port())) {
      var path = rig.put("tiktok/huge.json.zst", batch(folder.resolve("huge")));
      CollectorRig.publish(stranger, rig.event(0, path));
      try (var collector = rig.collector(Death.NEVER, "-Xmx256m")) {
        collector.awaitReady();
        await()
            .atMost(Duration.ofMinutes(5))
            .until(() -> stranger.depth(CollectedNames.QUEUE) == 0 || !collector.isAlive());
        assertThat(collector.isAlive()).as(collector.output()).isTrue();
        assertThat(stranger.depth(CollectedNames.DEAD)).as(collector.output()).isZero();
      }
      assertThat(rig.overview().orElseThrow().totals()).isEqualTo(new Totals(ITEMS, 1, 0));
    }
  }

  private static Path batch(Path file) throws IOException {
    var bytes = 0L;
    try (var out =
        new BufferedOutputStream(new ZstdOutputStream(Files.newOutputStream(file), 1), 1 << 16)) {
      for (var n = 0; n < ITEMS; n++) {
        var text =
            "Item %d says that the mill is a fine old thing by the river. "
                .formatted(n)
                .repeat(EACH / 60);
        var item =
            "%s{\"meta\":{\"id\":\"%d\"},\"content\":{\"text\":\"%s\"}}"
                .formatted(n == 0 ? "[" : ",", n, text)
                .getBytes(UTF_8);
        bytes += item.length;
        out.write(item);
      }
      out.write(']');
    }
    assertThat(bytes).isGreaterThan(1_000_000_000L);
    return file;
  }
}
