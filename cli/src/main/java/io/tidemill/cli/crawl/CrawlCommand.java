package io.tidemill.cli.crawl;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.EventFollower;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `tidemill crawl URL`; the subcommands act on existing crawls.
@Command(
    name = "crawl",
    description = "Crawl a page or a site and, if you like, follow it to its end.",
    footer = "tidemill crawl https://example.org/ --pages 100 --follow")
final class CrawlCommand extends ClientCommand {
  /// The owner of crawls without --email.
  static final String DEFAULT_OWNER = "cli@tidemill.local";

  // Not required for picocli, which would ask for it before a subcommand too.
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "URL",
      description = "Where to begin: an http or https URL.")
  private @Nullable String url;

  @Option(names = "--pages", paramLabel = "N", description = "Pages at most, 1 by default.")
  private @Nullable Integer pages;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Links away from the first page at most.")
  private @Nullable Integer depth;

  @Option(
      names = "--scope",
      paramLabel = "S",
      description = "How far to go: ${COMPLETION-CANDIDATES}.",
      completionCandidates = ScopeNames.class)
  private @Nullable String scope;

  @Option(
      names = "--include",
      paramLabel = "RE2",
      description = "Only URLs that match; may be given again.")
  private List<String> include = List.of();

  @Option(
      names = "--exclude",
      paramLabel = "RE2",
      description = "No URLs that match; may be given again.")
  private List<String> exclude = List.of();

  @Option(names = "--sitemaps", description = "Read the site's own list of pages as well.")
  private boolean sitemaps;

  @Option(names = "--recrawl", description = "Fetch also what was crawled a short time ago.")
  private boolean recrawl;

  @Option(
      names = "--max-age",
      paramLabel = "SECONDS",
      description = "Fetch also what was crawled longer ago than this.")
  private @Nullable Integer maxAge;

  @Option(
      names = "--max-bytes",
      paramLabel = "SIZE",
      description = "Stop after so much, such as 10MB.")
  private @Nullable String maxBytes;

  @Option(names = "--max-seconds", paramLabel = "N", description = "Stop after so long.")
  private @Nullable Long maxSeconds;

  @Option(names = "--project", paramLabel = "NAME", description = "Keep the pages under this name.")
  private @Nullable String project;

  @Option(
      names = "--email",
      paramLabel = "E",
      description = "Whose crawl this is; " + DEFAULT_OWNER + " by default.",
      defaultValue = DEFAULT_OWNER)
  private String email = DEFAULT_OWNER;

  @Option(
      names = "--dry-run",
      description = "Only look at the first page and tell what the crawl would do.")
  private boolean dryRun;

  @Option(
      names = {"-f", "--follow"},
      description = "Stay and show how it goes; with --json one event a line.")
  private boolean follow;

  CrawlCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (url == null) throw CommandFailure.usage("URL is missing: expected where to begin");
    var body = body(url);
    var gateway = gateway();

    var answer = gateway.post(CrawlCommands.PATH, body);
    var id = Terminal.oneLine(answer.path("id").asString(""));
    if (dryRun) return preview(gateway, id);
    if (follow) return follow(gateway, id);
    return print(
        answer,
        () -> {
          terminal().line(id);
          terminal().note("follow it: " + client.command("crawl follow " + id));
          terminal().note("or look: " + gateway.base() + CrawlCommands.CRAWL.path(id));
        });
  }

  private ObjectNode body(String from) {
    var body = Json.object().put("url", from).put("email", email);
    if (pages != null) body.put("maxPages", pages);
    if (depth != null) body.put("maxDepth", depth);
    if (scope != null) body.put("scope", ScopeNames.check(scope));
    if (!include.isEmpty()) body.set("include", Json.tree(include));
    if (!exclude.isEmpty()) body.set("exclude", Json.tree(exclude));
    if (sitemaps) body.put("sitemaps", true);
    if (recrawl) body.put("recrawl", true);
    if (maxAge != null) body.put("maxAge", maxAge);
    if (maxBytes != null) body.put("maxBytes", size(maxBytes));
    if (maxSeconds != null) body.put("maxSeconds", maxSeconds);
    if (project != null) body.put("project", project);
    if (dryRun) body.put("dryRun", true);
    return body;
  }

  // The same units as in the settings file.
  private static long size(String text) {
    try {
      return ConfigFactory.parseMap(Map.of("size", text)).getBytes("size");
    } catch (ConfigException notASize) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--max-bytes is '%s': expected a size such as 10MB".formatted(text),
          notASize);
    }
  }

  private int follow(GatewayClient gateway, String id) {
    var terminal = terminal();
    if (!client.isJson()) terminal.note("crawl " + id);
    var view = new CrawlPrinter(terminal, pages == null ? 1 : pages);
    return FollowCommand.follow(gateway, terminal, client.isJson(), CrawlCommands.CRAWL, id, view);
  }

  // A dry run is over soon, and only what it found is of interest.
  private int preview(GatewayClient gateway, String id) {
    var terminal = terminal();
    var path = CrawlCommands.CRAWL.path(id);
    new EventFollower(terminal, false, new Silence(), CrawlPrinter::isTerminal)
        .follow(gateway, path + "/events", CrawlCommands.CRAWL.advice(id));
    var crawl = gateway.get(path);
    var preview = crawl.path("result").path("preview");
    if (client.isJson()) terminal.json(crawl);
    else if (preview.isObject()) new CrawlPreviewPrinter(terminal).print(preview);
    else new CrawlSummary(terminal).print(crawl);
    var isAllowed = preview.path("robots").path("allowed").asBoolean(true);
    var isGood = isAllowed && CrawlPrinter.isGood(crawl.path("status").asString(""));
    return isGood ? ExitCode.OK : ExitCode.FAILED;
  }

  private static final class Silence implements EventFollower.View {
    @Override
    public void print(JsonNode event) {}

    @Override
    public void end() {}
  }
}
