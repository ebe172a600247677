package io.tidemill.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.JobFailure;
import io.tidemill.fetch.connection.DnsResolver;
import io.tidemill.json.Json;
import io.tidemill.support.QuietCall;
import io.tidemill.support.TestSite;
import io.tidemill.worker.tool.HttpGetTool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class HttpGetToolIT {
  private final TestSite site = TestSite.start();
  private final Fetcher fetcher = Fetching.fetcher();
  private final HttpGetTool tool = new HttpGetTool(fetcher, Duration.ZERO);

  @AfterEach
  void close() {
    fetcher.close();
    site.close();
  }

  private static JsonNode call(HttpGetTool tool, String url) throws Exception {
    return tool.call(Json.object().put("url", url), new QuietCall("job"));
  }

  private static void assertFails(HttpGetTool tool, String url, String code) {
    assertThatThrownBy(() -> call(tool, url))
        .asInstanceOf(type(JobFailure.class))
        .satisfies(failure -> assertThat(failure.getMessage()).isNotBlank())
        .extracting(JobFailure::code)
        .isEqualTo(code);
  }

  @Test
  void returnsThePage() throws Exception {
    site.redirect("/a", "/b");
    site.answer(
        "/b",
        404,
        Map.of("Content-Type", "text/plain; charset=ISO-8859-1"),
        "größer".getBytes(ISO_8859_1));

    var result = call(tool, site.url("/a"));

    assertThat(result.path("status").asInt()).isEqualTo(404);
    assertThat(result.path("url").stringValue()).isEqualTo(site.url("/b"));
    assertThat(result.path("contentType").stringValue()).startsWith("text/plain");
    assertThat(result.path("body").stringValue()).isEqualTo("größer");
    assertThat(result.path("truncated").booleanValue()).isFalse();
  }

  @Test
  void cutsALongPageBetweenTwoCharacters() throws Exception {
    site.answer("/", 200, Map.of(), ("x" + "ü".repeat(200_000)).getBytes(UTF_8));

    var result = call(tool, site.url("/"));

    assertThat(result.path("truncated").booleanValue()).isTrue();
    assertThat(result.path("body").stringValue()).isEqualTo("x" + "ü".repeat(100 * 1024 - 1));
  }

  @Test
  void refusesForbiddenAddresses() {
    var strict =
        new Fetcher(Fetching.config(), List.of(), DnsResolver.system(), new SimpleMeterRegistry());

    try (strict) {
      assertFails(new HttpGetTool(strict), "http://169.254.169.254/", "FORBIDDEN_ADDRESS");
    }
  }

  @Test
  void refusesWhatIsNoUrl() {
    for (var url : List.of("", "file:///etc/passwd", "/relative")) {
      assertFails(tool, url, "BAD_ARGUMENTS");
    }
  }

  @Test
  void triesOnceMoreWhenNobodyAnswers() throws Exception {
    site.on(
        "/",
        (_, reply) -> {
          if (site.log("/").size() == 1) reply.close();
          else reply.send(200, Map.of(), "back");
        });

    assertThat(call(tool, site.url("/")).path("body").stringValue()).isEqualTo("back");
  }

  @Test
  void saysWhyWhenNobodyAnswersTwice() {
    assertFails(tool, "http://127.0.0.1:1/", "CONNECT");
    assertFails(tool, "http://nonexistent.invalid/", "DNS");
  }

  @Test
  void endsAtOnceWhenItIsToldToStop() throws Exception {
    site.on("/", (_, reply) -> reply.close());
    var patient = new HttpGetTool(fetcher, Duration.ofHours(1));
    var thrown = new CompletableFuture<Exception>();
    var caller =
        Thread.startVirtualThread(() -> {
          try {
            call(patient, site.url("/"));
          } catch (Exception ended) {
            thrown.complete(ended);
          }
        });
    await().until(() -> !site.log("/").isEmpty() && fetcher.openConnections() == 0);

    caller.interrupt();

    assertThat(thrown.get(10, SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(site.log("/")).hasSize(1);
  }
}
