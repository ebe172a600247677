package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.get;
import static io.tidemill.app.Product.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Crawl, kill everything, start again, search: as a user would.
class CrawlUpIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int PAGES = 40;
  private static final String[] SETTINGS = {
    "-s",
    "crawler.allow-networks=127.0.0.0/8",
    "-s",
    "crawler.default-delay=100ms",
    "-s",
    "crawler.lease=1s"
  };

  @TempDir Path folder;

  private static String page(String path) {
    var links =
        IntStream.range(0, PAGES)
            .mapToObj(n -> "<a href=\"/" + n + "\">" + n + "</a>")
            .collect(Collectors.joining(" "));
    return "<title>Page " + path + "</title><p>word" + path.replace("/", "") + "word</p>" + links;
  }

  private static JsonNode crawl(Path data, String id) {
    return Json.parse(get(address(data, "http") + "/api/crawls/" + id).body());
  }

  @Test
  void aCrawlOutlivesTheWholeProductKilledInTheMiddle() {
    var data = folder.resolve("data");
    try (var site = new OnePageSite(CrawlUpIT::page)) {
      String id;
      try (var first = Product.up(data, SETTINGS)) {
        var body =
            "{\"url\":\"%s\",\"email\":\"a@example.org\",\"maxPages\":100}".formatted(site.url());
        var answer = post(address(data, "http") + "/api/crawls", body);
        id = Json.parse(answer.body()).get("id").stringValue();
        await()
            .atMost(PATIENCE)
            .until(() -> crawl(data, id).at("/progress/fetched").asInt(0) > PAGES / 4);
        first.kill();
      }
      try (var second = Product.up(data, SETTINGS)) {
        await()
            .atMost(PATIENCE)
            .until(() -> crawl(data, id).get("status").stringValue().equals("completed"));

        assertThat(crawl(data, id).at("/progress/fetched").asInt(0)).isEqualTo(PAGES + 1);
        // Words alone: by their meaning all these pages are near one another.
        var words =
            address(data, "http") + "/api/search?mode=keyword&q=word" + (PAGES - 1) + "word";
        await()
            .atMost(PATIENCE)
            .until(() -> Json.parse(get(words).body()).get("total").asInt() == 1);
        assertThat(commandLine(data, "search", "word0word").output()).contains("Page /0");
        // Every page is an item once, however often its batch was told (C5.7).
        var project = address(data, "http") + "/api/analytics/projects/web";
        await()
            .atMost(PATIENCE)
            .until(() -> Json.parse(get(project).body()).at("/totals/items").asInt(0) == PAGES + 1);
        assertThat(commandLine(data, "analytics", "web").output())
            .contains((PAGES + 1) + " items in", " batches, 0 failed");
        assertThat(second.ownWords()).doesNotContain("Exception");
        assertThat(second.output()).doesNotContain("\tat ");
      }
    }
  }

  private Product commandLine(Path data, String... arguments) {
    var all = new java.util.ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", address(data, "http")));
    var command = Product.start(folder.resolve("command.log"), Map.of(), all);
    assertThat(command.awaitExit()).isZero();
    return command;
  }
}
