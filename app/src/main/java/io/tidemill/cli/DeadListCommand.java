package io.tidemill.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill dead list`
@Command(
    name = "list",
    description = "List dead entries, the newest first.",
    footer = "tidemill dead list --source workflows --limit 10")
final class DeadListCommand implements Callable<Integer> {
  static final String SOURCES =
      "Of what: jobs (default), workflows, tasks, crawl-requests, crawl-responses,"
          + " crawler_queue, analytics.data.collected, pages, or all.";

  private static final List<String> STATES = List.of("waiting", "redriven", "discarded");

  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many, 50 by default.")
  private int limit;

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description = SOURCES,
      completionCandidates = DeadSources.class)
  private @Nullable String source;

  @Option(
      names = "--before",
      paramLabel = "NEXT",
      description = "Those after another page, from its last line.")
  private @Nullable String before;

  @Option(
      names = "--query",
      paramLabel = "TEXT",
      description = "Only those that say this in id, key, origin, reason or message.")
  private @Nullable String query;

  @Option(
      names = "--cause",
      paramLabel = "CAUSE",
      description = "Only those of one of dead causes.")
  private @Nullable String cause;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those that are waiting, redriven or discarded.")
  private @Nullable String state;

  DeadListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    DeadSources.check(source);
    OptionValue.between("--limit", limit, 1, 1_000);
    OptionValue.oneOf("--state", state, STATES);
    // A cause belongs to one source, whichever that is.
    var where = source == null && cause != null ? DeadSources.ALL : source;
    var path = new RequestPath("/api/dead").with("source", where);
    path.with("q", query).with("cause", cause).with("state", state);
    path.with("limit", limit).with("before", before);
    var answer = client.gateway(session).get(path.toString());
    if (client.isJson()) {
      session.terminal().json(answer);
      return ExitCode.OK;
    }
    var entries = answer.path("dead");
    entries.forEach(this::print);
    var total = answer.path("total").asLong(entries.size());
    if (total == 0) session.terminal().line(none(answer));
    if (answer.has("next") || (total > entries.size() && before == null)) {
      session.terminal().note(more(total - entries.size(), answer.path("next").asString("")));
    }
    DeadSources.hint(session.terminal(), answer);
    DeadSources.silent(session.terminal(), answer);
    return ExitCode.OK;
  }

  private String none(JsonNode answer) {
    if (DeadSources.ALL.equals(source) || query != null || cause != null || state != null) {
      return "nothing is dead";
    }
    if (source != null) return "no dead " + source;
    var others = answer.path("others");
    return others.isObject() && others.isEmpty() ? "nothing is dead" : "no dead jobs";
  }

  private String more(long others, String next) {
    var how = next.isEmpty() ? "--limit" : "--before '" + Terminal.clean(next) + "'";
    return before == null ? others + " more; see them with " + how : "more with " + how;
  }

  private void print(JsonNode dead) {
    var at = Instant.ofEpochMilli(dead.path("ts").asLong(0)).truncatedTo(ChronoUnit.SECONDS);
    session
        .terminal()
        .line(
            Terminal.clean(
                String.format(
                    Locale.ROOT,
                    "%-20s %s  %-16s %s%s",
                    dead.path("id").asString(""),
                    at,
                    dead.path("reason").asString(""),
                    dead.path("message").asString("").replace('\n', ' '),
                    mark(dead))));
  }

  private static String mark(JsonNode dead) {
    if (dead.has("discarded_at")) return "  (discarded)";
    return dead.has("redriven_at") ? "  (redriven)" : "";
  }
}
