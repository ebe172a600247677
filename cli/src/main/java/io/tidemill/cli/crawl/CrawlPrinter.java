package io.tidemill.cli.crawl;

import io.tidemill.cli.client.EventPrinter;
import io.tidemill.cli.resource.FollowView;
import io.tidemill.cli.terminal.ProgressBar;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.crawl.CrawlStatus;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Events of a crawl for people: a progress bar on a terminal, else a line every few seconds; then
/// the result.
final class CrawlPrinter implements FollowView {
  private static final long PLAIN_INTERVAL = Duration.ofSeconds(5).toMillis();

  private final Terminal terminal;
  private final EventPrinter lines;
  private final ProgressBar bar;
  private final PageRate rate = new PageRate();
  private final long wanted;
  private long startedAt;
  private long printedAt;

  /// @param wanted pages that were asked for; 0 = not known
  CrawlPrinter(Terminal terminal, long wanted) {
    this.terminal = terminal;
    this.wanted = wanted;
    lines = new EventPrinter(terminal);
    bar = new ProgressBar(terminal);
  }

  @Override
  public void print(JsonNode event) {
    var type = event.path("type").asString("");
    var at = event.path("ts").asLong(0);
    if (startedAt == 0 || type.equals("running")) startedAt = at;
    if (type.equals("running")) rate.add(at, 0);
    if (type.equals("progress")) progress(event, at);
    else if (isTerminal(type)) lines.line(event, ""); // the summary follows, and readable
    else lines.print(event);
  }

  static boolean isTerminal(String type) {
    return CrawlStatus.of(type).isTerminal();
  }

  static boolean isGood(String status) {
    return CrawlStatus.of(status) == CrawlStatus.COMPLETED;
  }

  @Override
  public boolean isLast(String type) {
    return isTerminal(type);
  }

  @Override
  public Optional<Boolean> success(String lastType) {
    return Optional.of(isGood(lastType));
  }

  @Override
  public boolean finish(JsonNode crawl, boolean json) {
    if (json) terminal.json(crawl);
    else new CrawlSummary(terminal).print(crawl);
    return isGood(crawl.path("status").asString(""));
  }

  private void progress(JsonNode event, long at) {
    var progress = CrawlProgress.of(event.path("data"));
    rate.add(at, progress.fetched());
    var since = Duration.ofMillis(Math.max(0, at - startedAt));
    var facts = progress.facts(rate.perSecond(), since, at);
    if (terminal.isWatched()) {
      lines.moving(bar.line(progress.share(wanted), facts));
    } else if (at - printedAt >= PLAIN_INTERVAL) {
      printedAt = at;
      lines.line(event, String.join(", ", facts));
    }
  }

  @Override
  public void end() {
    lines.end();
  }
}
