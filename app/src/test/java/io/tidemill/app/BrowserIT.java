package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.tidemill.json.Json;
import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A browser's own `EventSource` follows a job to its end, and then leaves it alone (C3.6).
class BrowserIT {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

  @TempDir Path folder;

  @Test
  void eventSourceSeesEveryEventOnceAndStopsAfterTheLast() throws Exception {
    assumeTrue(Files.isExecutable(CHROMIUM), "chromium is not installed");
    var report = new CompletableFuture<String>();
    var site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var origin = "http://127.0.0.1:" + site.getAddress().getPort();
    var data = folder.resolve("data");
    try (var _ = Product.up(data, "-s", "http.cors-origins=" + origin)) {
      var job =
          submit(
              address(data, "http"),
              "{\"task\":\"tool\",\"payload\":{\"name\":\"sleep\",\"arguments\":{\"ms\":1500}}}");
      serve(site, page(job), report);
      var browser = browse(origin);
      try {
        var seen = Json.parse(report.get(60, TimeUnit.SECONDS)).get("seen");

        var types = seen.valueStream().map(event -> event.get("type").stringValue()).toList();
        assertThat(types).startsWith("hello", "queued", "running", "progress").endsWith("done");
        var ids = seen.valueStream().skip(1).map(event -> event.get("id").stringValue()).toList();
        assertThat(ids).doesNotHaveDuplicates().hasSize(13);
      } finally {
        browser.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
        browser.destroyForcibly().waitFor();
      }
    } finally {
      site.stop(0);
    }
  }

  private static String page(String job) {
    return """
    <!doctype html><meta charset="utf-8"><title>follow</title>
    <script>
      const seen = [];
      let errors = 0;
      const source = new EventSource('%s/events');
      for (const type of ['hello', 'queued', 'running', 'progress', 'done', 'error', 'canceled']) {
        source.addEventListener(type, event => {
              // EventSource has an event of its own by the name of error.
              if (event instanceof MessageEvent) seen.push({ type, id: event.lastEventId });
            });
      }
      // The server ends the stream; the browser reconnects with Last-Event-ID and is told 204.
      source.onerror = () => {
        errors++;
        if (source.readyState !== EventSource.CLOSED) return;
        fetch('/report', { method: 'POST', body: JSON.stringify({ seen, errors }) });
      };
    </script>
    """
        .formatted(job);
  }

  private static void serve(HttpServer site, String page, CompletableFuture<String> report) {
    site.createContext(
        "/",
        exchange -> {
          var isReport = exchange.getRequestURI().getPath().equals("/report");
          var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          var answer = (isReport ? "" : page).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
          if (isReport) report.complete(body);
        });
    site.start();
  }

  private Process browse(String url) throws IOException {
    return new ProcessBuilder(
            ChildProcessGuard.guarded(
                List.of(
                    CHROMIUM.toString(),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--user-data-dir=" + folder.resolve("profile"),
                    "--remote-debugging-port=0",
                    url)))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("chromium.log").toFile())
        .start();
  }
}
