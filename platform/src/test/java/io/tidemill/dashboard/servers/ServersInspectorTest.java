package io.tidemill.dashboard.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServersInspectorTest {
  @Test
  void oneThatIsSilentOrBrokenNeverHidesTheOthers() {
    var never = new CountDownLatch(1);
    var asked = new AtomicInteger();
    var reports = new LinkedHashMap<String, ServersInspector.Report>();
    reports.put(
        "silent",
        _ -> {
          asked.incrementAndGet();
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
    reports.put("absent", ServersInspector.off("not here"));

    var servers = new ServersInspector(reports, Duration.ofMillis(300));
    servers.inspect();
    var answer = servers.inspect();
    never.countDown();

    assertThat(answer)
        .hasToString(
            "{\"silent\":{\"status\":\"down\",\"detail\":\"it does not answer in time\"},"
                + "\"broken\":{\"status\":\"down\",\"detail\":\"no route\"},"
                + "\"well\":{\"status\":\"up\",\"detail\":\"\",\"items\":3},"
                + "\"absent\":{\"status\":\"off\",\"detail\":\"not here\"}}");
    assertThat(asked).hasValue(1); // it is asked once, however many want to know
  }
}
