package io.tidemill.cli.crawl;

import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.cli.terminal.WrappedText;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.json.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What came of a crawl, in a few lines.
final class CrawlSummary {
  private static final int MOST_LINES = 6;
  private static final int MOST_TEXT = 600;

  private final Terminal terminal;

  CrawlSummary(Terminal terminal) {
    this.terminal = terminal;
  }

  /// @param crawl the entity
  void print(JsonNode crawl) {
    if (crawl.has("progress")) terminal.line(numbers(crawl));
    var stoppedBy = crawl.path("stoppedBy").asString("");
    if (!stoppedBy.isEmpty()) terminal.line("stopped by " + Terminal.oneLine(stoppedBy));
    var result = crawl.path("result");
    var status = crawl.path("status").asString("");
    switch (CrawlStatus.of(status)) {
      case COMPLETED -> result(crawl.path("id").asString(""), result);
      case FAILED -> terminal.error("the crawl failed: " + reason(result));
      case CANCELED -> terminal.error("the crawl was canceled");
      case PENDING -> terminal.error("the crawl's events ended while it is " + status);
    }
  }

  private static String numbers(JsonNode crawl) {
    var progress = CrawlProgress.of(crawl.path("progress"));
    var counts =
        "%s fetched, %s skipped, %s failed, %s"
            .formatted(
                Amounts.count(progress.fetched(), "page"),
                Amounts.count(progress.skipped()),
                Amounts.count(progress.failed()),
                Amounts.bytes(progress.bytes()));
    return counts + took(crawl).map(span -> pace(progress.fetched(), span)).orElse("");
  }

  private static String pace(long pages, Duration span) {
    var perSecond = pages * 1_000.0 / Math.max(1, span.toMillis());
    return " in %s, %s".formatted(Amounts.seconds(span), Amounts.rate(perSecond));
  }

  private static Optional<Duration> took(JsonNode crawl) {
    try {
      var started = Instant.parse(crawl.path("startedAt").asString(""));
      var ended = Instant.parse(crawl.path("endedAt").asString(""));
      return Optional.of(Duration.between(started, ended)).filter(span -> !span.isNegative());
    } catch (DateTimeException missing) {
      return Optional.empty();
    }
  }

  private static String reason(JsonNode result) {
    var message = result.path("errorMessage").asString("");
    return message.isEmpty() ? Json.text(result) : message;
  }

  // A foreign crawler's result may be any JSON (C1.2).
  private void result(String id, JsonNode result) {
    if (result.isString()) {
      text(result.stringValue());
    } else if (result.has("text") || result.has("title")) {
      heading(result.path("title").asString(""));
      text(result.path("text").asString(""));
    } else if (result.has("message")) {
      terminal.line(Terminal.oneLine(result.path("message").asString("")));
    } else {
      var what = result.path("pages").isArray() ? "pages" : "show";
      terminal.note("look closer: tidemill crawl " + what + " " + id);
    }
  }

  private void heading(String title) {
    var clean = Terminal.oneLine(title);
    if (!clean.isEmpty()) terminal.line("\n" + terminal.bold(clean));
  }

  private void text(String text) {
    var start = text.substring(0, text.offsetByCodePoints(0, length(text)));
    Terminal.clean(start)
        .lines()
        .map(Terminal::oneLine)
        .filter(line -> !line.isEmpty())
        .flatMap(line -> WrappedText.lines(line, terminal).stream())
        .limit(MOST_LINES)
        .forEach(terminal::line);
  }

  private static int length(String text) {
    return Math.min(text.codePointCount(0, text.length()), MOST_TEXT);
  }
}
