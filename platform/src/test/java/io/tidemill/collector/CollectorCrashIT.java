package io.tidemill.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.analytics.ProjectOverview.Totals;
import io.tidemill.collector.CollectorMain.Death;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.support.BrokerJ;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.ForeignProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/// Collectors that die: nothing is lost, and nothing counts twice (F44).
///
/// `-Dtidemill.chaos.kills=200` for a longer run, `-Dtidemill.chaos.seed=…` to repeat one.
class CollectorCrashIT {
  private static final int KILLS = Integer.getInteger("tidemill.chaos.kills", 8);
  private static final long SEED = Long.getLong("tidemill.chaos.seed", System.nanoTime());
  private static final int BATCHES = 500;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(value = Death.class, mode = EnumSource.Mode.EXCLUDE, names = "NEVER")
  void whereverItDiesEachBatchIsStoredOnce(Death death) throws Exception {
    try (var rig = new CollectorRig(folder);
        var stranger = new ForeignProgram(BrokerJ.shared().port())) {
      for (var n = 0; n < 4; n++) CollectorRig.publish(stranger, rig.event(n, rig.batch(n)));
      try (var doomed = rig.collector(death)) {
        doomed.awaitReady();
        await().until(() -> !doomed.isAlive());
      }
      finish(rig, stranger);

      assertThat(rig.overview().orElseThrow().totals())
          .isEqualTo(new Totals(4L * CollectorRig.GOOD, 4, 4L * CollectorRig.FAILED));
      assertThat(stranger.depth(CollectedNames.DEAD)).isZero();
    }
  }

  private static void finish(CollectorRig rig, ForeignProgram stranger) {
    try (var collector = rig.collector(Death.NEVER)) {
      collector.awaitReady();
      // Broker-J counts what is not settled yet as well.
      await().until(() -> stranger.depth(CollectedNames.QUEUE) == 0);
    }
  }

  @Test
  void killsAndOutagesAtRandomLeaveExactTotals() throws Exception {
    var random = new Random(SEED);
    var log = LoggerFactory.getLogger(CollectorCrashIT.class);
    log.info("tidemill.chaos.seed={}", SEED);
    try (var rig = new CollectorRig(folder)) {
      var paths = new String[BATCHES];
      for (var n = 0; n < BATCHES; n++) paths[n] = rig.batch(n);
      var collector = rig.collector(Death.NEVER);
      var next = 0;
      for (var kill = 0; kill < KILLS; kill++) {
        var end = BATCHES * (kill + 1) / KILLS;
        try (var stranger = new ForeignProgram(BrokerJ.shared().port())) {
          for (; next < end; next++) {
            CollectorRig.send(stranger, rig.event(next, paths[next]));
            // Who is not sure publishes once more.
            if (random.nextInt(10) == 0) CollectorRig.send(stranger, rig.event(next, paths[next]));
          }
          stranger.confirm();
        }
        collector = disturb(rig, collector, kill, random);
      }
      collector.awaitReady();
      try (var stranger = new ForeignProgram(BrokerJ.shared().port())) {
        var last = collector;
        await()
            .atMost(Duration.ofMinutes(5))
            .untilAsserted(
                () -> assertThat(stranger.depth(CollectedNames.QUEUE)).as(last::output).isZero());
        assertThat(stranger.depth(CollectedNames.DEAD)).as(collector::output).isZero();
      }
      collector.kill();

      assertThat(rig.overview().orElseThrow().totals())
          .isEqualTo(
              new Totals(
                  (long) BATCHES * CollectorRig.GOOD,
                  BATCHES,
                  (long) BATCHES * CollectorRig.FAILED));
    }
  }

  // Most of the time it is the collector that dies.
  private static ChildJvm disturb(CollectorRig rig, ChildJvm collector, int kill, Random random)
      throws Exception {
    collector.awaitReady();
    if (kill % 4 == 1) {
      BrokerJ.shared().kill();
      BrokerJ.shared().restart();
      return collector;
    }
    if (kill % 4 == 2) {
      rig.storeGoesAway();
      Thread.sleep(random.nextInt(300));
      rig.storeComesBack();
      return collector;
    }
    Thread.sleep(random.nextInt(400));
    collector.kill();
    return rig.collector(Death.NEVER);
  }
}
