package io.tidemill.cli;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.cli.terminal.WrappedText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill find TEXT…`
@Command(
    name = "find",
    description = "Find jobs, workflows, tasks, crawls and dead letters.",
    footer = "tidemill find alice@example.org --kind crawl")
final class FindCommand extends ClientCommand {
  private static final List<String> KINDS = List.of("job", "workflow", "task", "crawl", "dead");
  private static final String INDENT = "    ";

  @Parameters(
      arity = "1..*",
      paramLabel = "TEXT",
      description =
          "An id or its beginning, an email, a URL, words of payload, result or error; behind -- when it begins with a dash.")
  private List<String> words = List.of();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only these: job, workflow, task, crawl, dead.")
  private @Nullable String kind;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "At most so many, 20 by default.")
  private int limit;

  FindCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (kind != null && !KINDS.contains(kind)) {
      throw CommandFailure.usage(
          "--kind is '%s': expected one of %s".formatted(kind, String.join(", ", KINDS)));
    }
    OptionValue.between("--limit", limit, 1, 100);
    var text = String.join(" ", words);
    var path = new RequestPath("/api/find").with("q", text).with("kind", kind).with("limit", limit);
    var answer = gateway().get(path.toString());
    return print(answer, () -> print(text, answer));
  }

  private void print(String text, JsonNode answer) {
    var terminal = terminal();
    var hits = answer.path("hits");
    var total = answer.path("total").asLong(0);
    if (total == 0) terminal.line("nothing found for " + Terminal.oneLine(text));
    hits.forEach(this::print);
    if (total > hits.size()) terminal.note((total - hits.size()) + " more; see them with --limit");
    var behind = answer.path("behind").asLong(0);
    if (behind > 0) terminal.note(Amounts.count(behind, "change") + " can't be found yet");
    var skipped = answer.path("skipped").asLong(0);
    if (skipped > 0) {
      terminal.note(Amounts.count(skipped, "change") + " came too fast and can't be found");
    }
  }

  private void print(JsonNode hit) {
    var terminal = terminal();
    var at = Instant.ofEpochMilli(hit.path("at").asLong(0)).truncatedTo(ChronoUnit.SECONDS);
    var source = hit.path("source").asString("");
    var about =
        String.format(
            Locale.ROOT,
            "%s %s%s",
            at,
            hit.path("status").asString(""),
            source.isEmpty() ? "" : " in " + source);
    terminal.line(
        terminal.bold(String.format(Locale.ROOT, "%-8s ", hit.path("kind").asString("")))
            + Terminal.oneLine(hit.path("id").asString(""))
            + "  "
            + terminal.dim(Terminal.oneLine(about)));
    var title = Terminal.oneLine(hit.path("title").asString(""));
    if (!title.isEmpty()) terminal.line(INDENT + terminal.green(title));
    var shown = Terminal.oneLine(hit.path("text").asString(""));
    if (shown.isEmpty()) return;
    for (var line : WrappedText.lines(shown, terminal, INDENT.length())) {
      terminal.line(INDENT + line);
    }
  }
}
