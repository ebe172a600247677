package io.tidemill.dashboard.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ServerReportsTest {
  @Test
  void oneThatIsSilentOrBrokenNeverHidesTheOthers() {
    var never = new CountDownLatch(1);
    var reports = new LinkedHashMap<String, ServerReports.Report>();
    reports.put(
        "silent",
        _ -> {
          try {
            never.await();
          } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
          }
        });
    reports.put(
        "broken",
        _ -> {
          throw new IllegalStateException("no route\nto host");
        });
    reports.put("well", out -> out.put("items", 3));
    reports.put("absent", ServerReports.off("not here"));

    var told = new ServerReports(reports, Duration.ofMillis(300)).ask();
    never.countDown();

    assertThat(told)
        .hasToString(
            "{\"silent\":{\"status\":\"down\",\"detail\":\"it does not answer in time\"},"
                + "\"broken\":{\"status\":\"down\",\"detail\":\"no route\"},"
                + "\"well\":{\"status\":\"up\",\"detail\":\"\",\"items\":3},"
                + "\"absent\":{\"status\":\"off\",\"detail\":\"not here\"}}");
  }
}
