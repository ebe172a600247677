package io.tidemill.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.http.Access;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.service.HealthCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HealthRoutesTest {
  private final Map<String, HealthCheck> checks = new LinkedHashMap<>();
  private Instant now = Instant.parse("2026-01-04T01:09:27Z");

  @Test
  void isReadyWhenEverythingIs() throws Exception {
    checks.put("redis", () -> "7.0.15");

    var answer = ask(health(), "/health/ready");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(text(answer))
        .isEqualTo(
            "{\"status\":\"up\",\"checks\":{\"redis\":{\"status\":\"up\",\"detail\":\"7.0.15\"}}}");
  }

  @Test
  void namesWhatIsDownWithoutItsPassword() throws Exception {
    checks.put("amqp", () -> "ok");
    checks.put(
        "redis",
        () -> {
          throw new IllegalStateException("redis://user:pass@host refused\nat line 2");
        });

    var answer = ask(health(), "/health/ready");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(text(answer))
        .startsWith("{\"status\":\"down\"")
        .contains("\"redis\":{\"status\":\"down\",\"detail\":\"redis://***@host refused\"}");
  }

  @Test
  void doesNotWaitForACheckThatHangs() throws Exception {
    checks.put(
        "hangs",
        () -> {
          new CountDownLatch(1).await();
          return "never";
        });
    checks.put("fast", () -> "ok");

    assertThat(text(ask(health(), "/health/ready")))
        .contains("\"fast\":{\"status\":\"up\"", "no answer within 2 s");
  }

  @Test
  void asksAgainOnlyAfterAWhile() throws Exception {
    var asked = new AtomicInteger();
    checks.put("counted", () -> "" + asked.incrementAndGet());
    var health = health();

    ask(health, "/health/ready");
    now = now.plus(Duration.ofMillis(499));
    ask(health, "/health/ready");
    assertThat(asked).hasValue(1);

    now = now.plus(Duration.ofMillis(1));
    ask(health, "/health/ready");
    assertThat(asked).hasValue(2);
  }

  @Test
  void concurrentCallersShareOneSlowCheck() throws Exception {
    var asked = new AtomicInteger();
    checks.put(
        "slow",
        () -> {
          now = now.plusSeconds(2);
          return "" + asked.incrementAndGet();
        });
    var health = health();

    ask(health, "/health/ready");
    ask(health, "/health/ready");

    assertThat(asked).hasValue(1);
  }

  @Test
  void isAliveWhateverTheChecksSay() throws Exception {
    checks.put(
        "down",
        () -> {
          throw new IllegalStateException();
        });

    assertThat(text(ask(health(), "/health/live"))).isEqualTo("{\"status\":\"up\"}");
    assertThat(health().routes()).allMatch(route -> route.access() == Access.OPEN);
  }

  private HealthRoutes health() {
    return new HealthRoutes(checks, () -> now);
  }

  private static Response.Body ask(HealthRoutes health, String path) throws Exception {
    var route =
        health.routes().stream().filter(r -> r.path().equals(path)).findFirst().orElseThrow();
    return (Response.Body) route.handler().handle(Request.of("GET", path));
  }

  private static String text(Response.Body body) {
    return new String(body.body(), StandardCharsets.UTF_8);
  }
}
