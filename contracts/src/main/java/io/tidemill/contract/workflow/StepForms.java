package io.tidemill.contract.workflow;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// What may stand in a workflow's `input` (C2.8): sources of records, steps and their options.
///
/// A gateway does not ask for it, because other processors bring other steps; whoever writes a
/// workflow for ours does.
public final class StepForms {
  /// `validate`
  public static final StepForm VALIDATE =
      form(
          "validate",
          "lets valid records pass",
          "rules",
          "object: field -> {required, type, min, max, minLength, maxLength, pattern, enum, format}",
          "schema",
          "a JSON Schema",
          "maxInvalid",
          "more invalid records than this fail the workflow",
          "failOnInvalid",
          "true: the first invalid record does");

  /// `transform`
  public static final StepForm TRANSFORM =
      form(
          "transform",
          "makes new records of old ones by JSONata expressions",
          "filter",
          "an expression; where it is not true the record is dropped",
          "expression",
          "gives the whole new record",
          "map",
          "object: new field -> expression; the new record has these fields only",
          "rename",
          "object: old name -> new name",
          "derive",
          "object: field -> expression; adds to the record",
          "pick",
          "list of fields to keep",
          "drop",
          "list of fields to leave out",
          "onError",
          "fail or skip");

  /// `store`
  public static final StepForm STORE =
      form(
          "store",
          "writes the records as an object, or as rows for analysis, and passes them on",
          "to",
          "objects or analytics",
          "format",
          "ndjson, parquet, csv or xlsx",
          "name",
          "the file's name",
          "object",
          "s3://bucket/key, where to",
          "table",
          "the name of the rows in analytics",
          "source",
          "the same as table");

  /// `crawl`
  public static final StepForm CRAWL =
      form(
          "crawl",
          "crawls the web and gives the pages on as records with url, title, text, language",
          "url",
          "where to start",
          "urls",
          "list of places to start, a crawl each",
          "email",
          "whose crawls they are",
          "maxPages",
          "the most pages; 1 without it",
          "maxDepth",
          "the most links away from the start",
          "scope",
          "host, domain or prefix",
          "include",
          "list of RE2 patterns of URLs",
          "exclude",
          "list of RE2 patterns of URLs",
          "sitemaps",
          "true: reads sitemaps too",
          "maxBytes",
          "the most bytes",
          "maxSeconds",
          "the longest time",
          "recrawl",
          "true: fetches what was fetched lately",
          "maxAge",
          "fetches what was fetched longer ago, in seconds",
          "project",
          "the project that pages are collected for");

  /// `index`
  public static final StepForm INDEX =
      form("index", "puts records with url and text into the search index and passes them on");

  /// `analyze`
  public static final StepForm ANALYZE =
      form(
          "analyze",
          "tells what is in the records and passes them on",
          "field",
          "the field with text",
          "top",
          "most frequent values shown for each field, 0 to 50",
          "keywords",
          "keywords shown, 0 to 100",
          "annotate",
          "true: adds language and keywords to each record");

  /// `export`
  public static final StepForm EXPORT =
      form(
          "export",
          "writes the records into a file, gives a link to it, and passes them on",
          "format",
          "csv, ndjson, parquet or xlsx",
          "name",
          "the file's name");

  /// `notify`
  public static final StepForm NOTIFY =
      form(
          "notify",
          "tells somebody how far the workflow is and passes the records on",
          "email",
          "object: {to, subject, text}",
          "webhook",
          "object: {url, headers, data}");

  /// All of them.
  public static final List<StepForm> ALL =
      List.of(VALIDATE, TRANSFORM, STORE, CRAWL, INDEX, ANALYZE, EXPORT, NOTIFY);

  /// What an `input` may name as the origin of its records.
  public static final Set<String> SOURCES =
      Set.of("records", "object", "crawl", "search", "analytics");

  /// What any step may have among its options.
  public static final String TIMEOUT = "timeout";

  // What sources read beside their own name.
  private static final Set<String> SOURCE_OPTIONS = Set.of("limit", "text", "project");

  private static final int LONGEST_SHOWN = 200;

  private static final Map<String, StepForm> BY_NAME =
      ALL.stream().collect(Collectors.toUnmodifiableMap(StepForm::name, Function.identity()));

  private StepForms() {}

  private static StepForm form(String name, String does, String... options) {
    var byName = new LinkedHashMap<String, String>();
    for (int i = 0; i < options.length; i += 2) byName.put(options[i], options[i + 1]);
    return new StepForm(name, does, byName);
  }

  /// What stands in an input and means nothing there, such as a misspelled step.
  public static Optional<String> stray(ObjectNode input, List<String> steps) {
    var known = new HashSet<>(SOURCES);
    known.addAll(SOURCE_OPTIONS);
    known.addAll(steps);
    for (int i = 0; i < steps.size(); i++) known.add(i + "." + steps.get(i));
    return input
        .propertyStream()
        .map(Map.Entry::getKey)
        .filter(name -> !known.contains(name))
        .findFirst();
  }

  /// What of a workflow no processor of ours could run, by its names; their values only the steps
  /// themselves can judge.
  ///
  /// @param others steps beside ours
  public static Optional<String> fault(List<String> steps, ObjectNode input, Set<String> others) {
    for (var step : steps) {
      if (!BY_NAME.containsKey(step) && !others.contains(step)) return unknownStep(step, others);
    }
    for (int i = 0; i < steps.size(); i++) {
      var fault = fault(steps.get(i), i, input);
      if (fault.isPresent()) return fault;
    }
    return stray(input, steps)
        .map(name ->
            "input has '%s', which is no source of records (%s) and none of the steps"
                .formatted(shown(name), String.join(", ", new TreeSet<>(SOURCES))));
  }

  private static Optional<String> unknownStep(String step, Set<String> others) {
    var known = new TreeSet<>(BY_NAME.keySet());
    known.addAll(others);
    return Optional.of(
        "steps has '%s', which is not known: expected %s"
            .formatted(step, String.join(", ", known.stream().map(StepForms::shown).toList())));
  }

  private static Optional<String> fault(String step, int index, ObjectNode input) {
    var here = index + "." + step;
    var place = input.hasNonNull(here) ? here : step;
    var options = input.get(place);
    if (options == null || options.isNull()) return Optional.empty();
    if (!options.isObject()) {
      // A text under the name of a source says where the records are.
      if (SOURCES.contains(place)) return Optional.empty();
      return Optional.of("input.%s must be an object: the options of the step".formatted(place));
    }
    var form = BY_NAME.get(step);
    if (form == null) return Optional.empty();
    return options
        .propertyStream()
        .map(Map.Entry::getKey)
        .filter(name -> !name.equals(TIMEOUT) && !form.options().containsKey(name))
        .findFirst()
        .map(name -> unknownOption(place, name, form));
  }

  private static String unknownOption(String place, String name, StepForm form) {
    var known = form.options().isEmpty() ? "none" : String.join(", ", form.options().keySet());
    return "input.%s.%s is not known: expected %s".formatted(place, shown(name), known);
  }

  /// A name as messages quote it: whoever wrote it may have written a book.
  public static String shown(String name) {
    return name.codePointCount(0, name.length()) > LONGEST_SHOWN
        ? name.substring(0, name.offsetByCodePoints(0, LONGEST_SHOWN)) + "…"
        : name;
  }
}
