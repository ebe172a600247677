package io.tidemill.cli.search;

import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.cli.terminal.WrappedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// What a search found, for people.
final class SearchPrinter {
  private static final String INDENT = "    ";
  private static final int MOST_VALUES = 4;
  private static final int DATE = "2026-01-04".length();

  private final Terminal terminal;

  SearchPrinter(Terminal terminal) {
    this.terminal = terminal;
  }

  void print(String query, JsonNode answer) {
    var total = answer.path("total").asLong(0);
    var hits = answer.path("hits");
    terminal.line(headline(query, total, answer));
    var number = first(answer);
    for (var hit : hits) print(number++, hit);
    facets(answer.path("facets"));
    hints(answer, number - 1, total);
  }

  private static String headline(String query, long total, JsonNode answer) {
    var took = " (" + Amounts.count(answer.path("tookMs").asLong(0)) + " ms)";
    return total == 0
        ? "nothing found for " + Terminal.oneLine(query) + took
        : Amounts.count(total, "page") + " found" + took;
  }

  private static long first(JsonNode answer) {
    var before = Math.max(0, answer.path("page").asLong(1) - 1);
    return before * answer.path("size").asLong(0) + 1;
  }

  private void print(long number, JsonNode hit) {
    var url = Terminal.oneLine(hit.path("url").asString(""));
    terminal.line("");
    terminal.line(String.format(Locale.ROOT, "%2d. %s", number, title(hit, url)));
    terminal.line(INDENT + terminal.green(url));
    var snippet = highlighted(hit.path("snippet").asString(""));
    if (!snippet.isEmpty()) indented(snippet);
    var about = about(hit);
    if (!about.isEmpty()) terminal.line(INDENT + terminal.dim(about));
    hit.path("explanation")
        .forEach(why -> terminal.line(INDENT + terminal.dim(Terminal.oneLine(why.asString("")))));
  }

  private String title(JsonNode hit, String url) {
    var marked = highlighted(hit.path("titleHighlighted").asString(""));
    if (!marked.isEmpty()) return marked;
    var plain = Terminal.oneLine(hit.path("title").asString(""));
    return plain.isEmpty() ? url : plain;
  }

  private String highlighted(String html) {
    return HighlightedText.text(html, match -> terminal.bold(terminal.yellow(match)));
  }

  private void indented(String text) {
    for (var line : WrappedText.lines(text, terminal, INDENT.length())) {
      terminal.line(INDENT + line);
    }
  }

  private static String about(JsonNode hit) {
    var facts = new ArrayList<String>();
    for (var name : List.of("type", "language")) {
      var value = Terminal.oneLine(hit.path(name).asString(""));
      if (!value.isEmpty()) facts.add(value);
    }
    date(hit, "publishedAt", "published ", facts);
    date(hit, "fetchedAt", "fetched ", facts);
    return String.join(", ", facts);
  }

  private static void date(JsonNode hit, String name, String words, List<String> facts) {
    var value = Terminal.oneLine(hit.path(name).asString(""));
    if (value.length() >= DATE) facts.add(words + value.substring(0, DATE));
  }

  private void facets(JsonNode facets) {
    var words = new ArrayList<String>();
    for (var facet : facets.properties()) {
      var values = new ArrayList<String>();
      for (var count : facet.getValue()) {
        if (values.size() == MOST_VALUES) break;
        values.add(count.path("value").asString("") + " " + count.path("count").asLong(0));
      }
      if (!values.isEmpty()) words.add(facet.getKey() + ": " + String.join(", ", values));
    }
    if (words.isEmpty()) return;
    terminal.line("");
    terminal.line(terminal.dim(Terminal.oneLine(String.join("; ", words))));
  }

  private void hints(JsonNode answer, long last, long total) {
    var meant = Terminal.oneLine(answer.path("didYouMean").asString(""));
    if (!meant.isEmpty()) terminal.note("did you mean: " + meant);
    if (answer.path("timedOut").asBoolean(false)) {
      terminal.note("the search ran out of time: there may be more");
    }
    if (!answer.path("hits").isEmpty() && last < total) {
      terminal.note("more with --page " + (answer.path("page").asLong(1) + 1));
    }
  }
}
