package io.tidemill.cli.crawl;

import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.cli.terminal.WrappedText;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// What a crawl would do, in a few lines.
final class CrawlPreviewPrinter {
  private static final int MOST_LINKS = 10;

  private final Terminal terminal;

  CrawlPreviewPrinter(Terminal terminal) {
    this.terminal = terminal;
  }

  /// @param preview from the result of the crawl
  void print(JsonNode preview) {
    terminal.line(terminal.bold(text(preview, "url")));
    if (!text(preview, "identity").equals(text(preview, "url"))) {
      row("known as", text(preview, "identity"));
    }
    row("robots.txt", robots(preview.path("robots")));
    row("pause", Amounts.seconds(millis(preview, "pauseMs")) + " between two pages");
    if (preview.path("page").isObject()) page(preview.path("page"));
    links(preview.path("links"));
    if (preview.path("sitemap").path("read").asBoolean(false)) {
      row("sitemap", Amounts.count(preview.path("sitemap").path("urls").asLong(0), "page"));
    }
    row("would fetch", estimate(preview));
  }

  // Pages behind these are not known; the crawl's limit is.
  private static String estimate(JsonNode preview) {
    var pages = preview.path("estimate").path("pages").asLong(0);
    if (pages == 0) return "nothing";
    var known = 1 + followed(preview, "links") + followed(preview, "sitemap");
    return "%s%s, in %s or more"
        .formatted(
            Amounts.count(pages, "page"),
            pages < known ? " (its limit)" : " or more",
            Amounts.seconds(millis(preview.path("estimate"), "atLeastMs")));
  }

  private static long followed(JsonNode preview, String where) {
    return preview.path(where).path("followed").asLong(0);
  }

  private static String robots(JsonNode robots) {
    var allowed = robots.path("allowed").asBoolean(false) ? "allows it" : "disallows it";
    var found = text(robots, "status");
    return found.equals("found") ? allowed : allowed + " (" + found + ")";
  }

  private void page(JsonNode page) {
    row("page", text(page, "status") + ", " + text(page, "contentType"));
    row("title", text(page, "title"));
    row("text", text(page, "text"));
    if (page.path("noindex").asBoolean(false)) row("index", "the page says noindex");
  }

  private void links(JsonNode links) {
    var found = links.path("found").asLong(0);
    var followed = links.path("followed").asLong(0);
    row(
        "links",
        "%s of %s would be followed".formatted(Amounts.count(followed), Amounts.count(found)));
    for (var refused : links.path("refused")) {
      row("not", Amounts.count(refused.path("count").asLong(0)) + ": " + text(refused, "reason"));
    }
    var shown = 0;
    for (var link : links.path("first")) {
      if (shown++ == MOST_LINKS) break;
      row("next", Terminal.oneLine(link.asString("")));
    }
  }

  private void row(String name, String value) {
    var lines = WrappedText.lines(value, terminal, 13);
    terminal.line("%-12s %s".formatted(name, lines.getFirst()));
    lines.stream().skip(1).forEach(line -> terminal.line(" ".repeat(13) + line));
  }

  private static Duration millis(JsonNode tree, String field) {
    return Duration.ofMillis(tree.path(field).asLong(0));
  }

  private static String text(JsonNode tree, String field) {
    return Terminal.oneLine(tree.path(field).asString(""));
  }
}
