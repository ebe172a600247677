package io.tidemill.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.io.TempDir;

/// The dashboard in a real browser on the running product. To start both takes longer than most of
/// the tests, so all of them share one: each class of scenes is nested here.
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class DashboardIT {
  @TempDir static Path folder;

  @BeforeAll
  static void start() throws Exception {
    Chromium.assumeInstalled();
    var starting = CompletableFuture.supplyAsync(DashboardIT::mill);
    Scenes.chromium = Chromium.start();
    Scenes.mill = starting.join();
  }

  private static DashboardProduct mill() {
    try {
      return new DashboardProduct(folder);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @AfterAll
  static void stop() {
    Scenes.forget();
    if (Scenes.mill != null) Scenes.mill.close();
    if (Scenes.chromium != null) Scenes.chromium.close();
  }

  /// Before there is anything else to see.
  @Nested
  @Order(1)
  class Overview extends OverviewScenes {}

  @Nested
  @Order(2)
  class Access extends AccessScenes {}

  @Nested
  @Order(3)
  class Crawls extends CrawlScenes {}

  @Nested
  @Order(4)
  class Jobs extends JobScenes {}

  @Nested
  @Order(5)
  class Flows extends WorkflowScenes {}

  @Nested
  @Order(6)
  class DeadLetters extends DeadLetterScenes {}

  @Nested
  @Order(7)
  class Insight extends InsightScenes {}

  /// When there is something in every list.
  @Nested
  @Order(8)
  class Everyone extends EveryoneScenes {}

  /// Last: it fills every list.
  @Nested
  @Order(9)
  class Hostile extends HostileScenes {}
}
