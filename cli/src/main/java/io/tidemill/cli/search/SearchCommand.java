package io.tidemill.cli.search;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.CommandFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill search QUERY…`
@Command(
    name = "search",
    description = "Search the pages that were crawled.",
    footer = "tidemill search tide tables --site example.org --sort newest")
public final class SearchCommand extends ClientCommand {
  private static final List<String> SORTS = List.of("relevance", "newest");
  private static final List<String> MODES = List.of("hybrid", "keyword");

  @Parameters(
      arity = "1..*",
      paramLabel = "QUERY",
      description = "What to find; behind -- when a word begins with a dash.")
  private List<String> words = List.of();

  @Option(names = "--site", paramLabel = "H", description = "Only pages of this host.")
  private @Nullable String site;

  @Option(names = "--lang", paramLabel = "L", description = "Only pages in this language: en, de.")
  private @Nullable String language;

  @Option(names = "--type", paramLabel = "T", description = "Only this kind: html, pdf.")
  private @Nullable String type;

  @Option(names = "--from", paramLabel = "D", description = "Not older than this date.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "D", description = "Older than this date.")
  private @Nullable String to;

  @Option(
      names = "--sort",
      paramLabel = "S",
      description = "What comes first: relevance (by default) or newest.")
  private @Nullable String sort;

  @Option(
      names = "--mode",
      paramLabel = "M",
      description = "How to find: hybrid (words and meaning, by default) or keyword (words alone).")
  private @Nullable String mode;

  @Option(names = "--page", paramLabel = "N", description = "Which page of hits; the first is 1.")
  private @Nullable Integer page;

  @Option(names = "--size", paramLabel = "N", description = "Hits on a page.")
  private @Nullable Integer size;

  @Option(names = "--explain", description = "Say why each hit is one.")
  private boolean explain;

  public SearchCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    check("--sort", sort, SORTS);
    check("--mode", mode, MODES);
    var query = String.join(" ", words);
    var answer = gateway().get(path(query));
    return print(answer, () -> new SearchPrinter(terminal()).print(query, answer));
  }

  private static void check(String option, @Nullable String value, List<String> known) {
    if (value == null || known.contains(value)) return;
    throw CommandFailure.usage(
        "%s is '%s': expected %s".formatted(option, value, String.join(" or ", known)));
  }

  private String path(String query) {
    return new RequestPath("/api/search")
        .with("q", query)
        .with("site", site)
        .with("lang", language)
        .with("type", type)
        .with("from", from)
        .with("to", to)
        .with("sort", sort)
        .with("mode", mode)
        .with("page", page)
        .with("size", size)
        .with("explain", explain ? true : null)
        .toString();
  }
}
