package io.tidemill.cli.resource;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ShellText;
import io.tidemill.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill ... list`: a page of a list, a line for each, or the gateway's JSON.
@Command
public final class ListCommand extends ClientCommand {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:-]+");

  private final Listing listing;
  private final Map<ListFilter, OptionSpec> filters = new LinkedHashMap<>();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many, 50 by default.")
  private int limit;

  @Option(
      names = "--before",
      paramLabel = "NEXT",
      description = "Those behind another page, as its last line says.")
  private @Nullable String before;

  private ListCommand(CommandSession session, Listing listing) {
    super(session);
    this.listing = listing;
    listing.filters().forEach(filter -> filters.put(filter, filter.option()));
  }

  public static CommandLine of(CommandSession session, Listing listing) {
    var command = new ListCommand(session, listing);
    var spec = CommandSpec.forAnnotatedObject(command);
    command.filters.values().forEach(spec::addOption);
    spec.name(listing.command().substring(listing.command().lastIndexOf(' ') + 1));
    spec.usageMessage()
        .description(listing.description())
        .footer("tidemill %s %s".formatted(listing.command(), listing.example()));
    return new CommandLine(spec);
  }

  @Override
  public Integer call() {
    var given = given();
    var source = listing.source();
    OptionValue.between("--limit", limit, 1, source.most());
    if (before != null && source.isCounted() && !before.matches("\\d{1,9}")) {
      throw CommandFailure.usage("--before is '%s': expected a whole number".formatted(before));
    }
    var path = new RequestPath(source.path());
    given.forEach(path::with);
    path.with("limit", limit).with(source.isCounted() ? "offset" : "before", before);
    var answer = gateway().get(path.toString());
    return print(answer, () -> print(given, answer));
  }

  private SequencedMap<String, String> given() {
    var given = new LinkedHashMap<String, String>();
    filters.forEach((filter, option) -> {
      @Nullable String value = option.getValue();
      filter.check(value);
      if (value != null) given.put(filter.parameter(), value);
    });
    listing.remarks().complete(given);
    return given;
  }

  private void print(Map<String, String> given, JsonNode answer) {
    var terminal = terminal();
    var rows = answer.path(listing.source().rows());
    rows.forEach(row -> terminal.line(listing.line(row)));
    var next = next(answer, rows.size());
    if (rows.isEmpty() && next.isEmpty()) {
      terminal.line(Terminal.oneLine(listing.remarks().none(given, answer)));
    }
    more(answer.path("total").asLong(0) - rows.size(), next);
    listing.remarks().after(terminal, answer);
  }

  private void more(long left, String next) {
    var others = before == null ? left : 0;
    if (next.isEmpty() && others <= 0) return;
    var how = next.isEmpty() ? "--limit" : "--before " + next;
    terminal().note(others > 0 ? others + " more; see them with " + how : "more with " + how);
  }

  // As a shell is to read it; empty at the end.
  private String next(JsonNode answer, int shown) {
    if (listing.source().isCounted()) {
      var end = answer.path("offset").asLong(0) + shown;
      return shown > 0 && end < answer.path("total").asLong(0) ? String.valueOf(end) : "";
    }
    var next = Terminal.clean(answer.path("next").asString(""));
    return next.isEmpty() || PLAIN.matcher(next).matches() ? next : ShellText.quoted(next);
  }
}
