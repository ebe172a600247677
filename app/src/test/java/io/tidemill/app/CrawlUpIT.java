package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.get;
import static io.tidemill.app.Product.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
            .contains((PAGES + 1) + " items in ", ", 0 failed");
        assertIsTraced(data, id);
        assertThat(second.ownWords()).doesNotContain("Exception");
        assertThat(second.output()).doesNotContain("\tat ");
      }
    }
  }

  // From the request to the last page in the index, through both lives of the product.
  private void assertIsTraced(Path data, String id) {
    var traces = address(data, "http") + "/api/traces";
    var found = Json.parse(get(traces + "?object=crawl:" + id).body()).path("traces");
    assertThat(found).hasSize(1);
    var trace = traces + "/" + found.get(0).path("traceId").asString("");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(hops(Json.parse(get(trace).body()).path("spans")))
                .contains(
                    "http POST /api/crawls <- none",
                    "kafka publish crawl-requests <- POST /api/crawls",
                    "kafka take in crawl <- POST /api/crawls",
                    "crawl visit <- take in crawl",
                    "fetch fetch <- visit",
                    "crawl read text <- visit",
                    "amqp publish crawler_queue <- visit",
                    "index index page <- publish crawler_queue",
                    "crawl finish crawl <- take in crawl",
                    "kafka publish crawl-responses <- finish crawl",
                    "kafka take in response <- take in crawl",
                    "s3 put <- keep batch",
                    "amqp collect batch <- take in crawl",
                    "db commit <- collect batch"));
    assertThat(commandLine(data, "trace", "crawl:" + id).output()).contains("POST /api/crawls");
  }

  private static Set<String> hops(JsonNode spans) {
    var names = new HashMap<String, String>();
    for (var span : spans) names.put(span.path("spanId").asString(""), name(span));
    var hops = new TreeSet<String>();
    for (var span : spans) {
      var parent = names.getOrDefault(span.path("parentId").asString(""), "none");
      hops.add(span.path("kind").asString("") + " " + name(span) + " <- " + parent);
    }
    return hops;
  }

  // Without what differs from page to page.
  private static String name(JsonNode span) {
    return span.path("name").asString("").replaceAll("^(fetch|robots|put) .*", "$1");
  }

  private Product commandLine(Path data, String... arguments) {
    var all = new java.util.ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", address(data, "http")));
    var command = Product.start(folder.resolve("command.log"), Map.of(), all);
    assertThat(command.awaitExit()).isZero();
    return command;
  }
}
