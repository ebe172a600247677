package io.tidemill.testing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The rules of `promtool check metrics` over Prometheus' text form, and that every metric has a
/// help text.
public final class PrometheusLint {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Pattern CAMEL_CASE = Pattern.compile("[a-z][A-Z]");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? \\S+(?: -?\\d+)?");
  private static final Pattern LABEL = Pattern.compile("([^=,]+)=\"(?:[^\"\\\\]|\\\\.)*\",?");
  private static final Set<String> UNITS =
      Set.of(
          "minutes",
          "hours",
          "days",
          "weeks",
          "kelvins",
          "fahrenheit",
          "rankine",
          "inches",
          "yards",
          "miles",
          "bits",
          "calories",
          "pounds",
          "ounces");
  private static final Pattern SCALED =
      Pattern.compile(
          "(pico|nano|micro|milli|centi|deci|deca|hecto|kilo|kibi|mega|mibi|giga|gibi|tera|tebi"
              + "|peta|pebi)(amperes|bytes|celsius|grams|joules|kelvin|meters|metres|seconds|volts"
              + "|minutes|hours|days|weeks|bits)");
  private static final Set<String> ABBREVIATIONS =
      Set.of("s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb", "tb", "pb", "m", "h", "d");

  private final Map<String, String> helps = new LinkedHashMap<>();
  private final Map<String, String> types = new LinkedHashMap<>();
  private final Set<String> series = new HashSet<>();
  private final List<String> problems = new ArrayList<>();

  private PrometheusLint() {}

  /// What is wrong, such as `worker_jobs: no help text`; empty when all is well.
  public static List<String> problems(String text) {
    var lint = new PrometheusLint();
    text.lines().forEach(lint::read);
    lint.types.forEach(lint::checkFamily);
    return lint.problems;
  }

  private void read(String line) {
    if (line.startsWith("# HELP ")) {
      var words = line.split(" ", 4);
      helps.put(words[2], words.length < 4 ? "" : words[3]);
    } else if (line.startsWith("# TYPE ")) {
      var words = line.split(" ", 4);
      if (types.put(words[2], words[3]) != null) fault(words[2], "it is described twice");
    } else if (!line.isBlank() && !line.startsWith("#")) {
      checkSample(line);
    }
  }

  private void checkSample(String line) {
    var sample = SAMPLE.matcher(line);
    if (!sample.matches()) {
      fault(line, "not a sample");
      return;
    }
    var name = sample.group(1);
    var labels = sample.group(2) == null ? "" : sample.group(2);
    if (!series.add(name + "{" + labels + "}")) fault(name, "metric not unique");
    var family = family(name);
    if (family.isEmpty()) fault(name, "no type");
    var type = types.getOrDefault(family, "");
    var label = LABEL.matcher(labels);
    while (label.find()) checkLabel(name, type, label.group(1));
  }

  private String family(String name) {
    if (types.containsKey(name)) return name;
    var stem = name.replaceFirst("_(bucket|count|sum)$", "");
    return types.containsKey(stem) ? stem : "";
  }

  private void checkLabel(String name, String type, String label) {
    if (CAMEL_CASE.matcher(label).find()) fault(name, "camelCase in the label " + label);
    if (label.equals("le") && !type.equals("histogram")) fault(name, "label le of a " + type);
    if (label.equals("quantile") && !type.equals("summary")) {
      fault(name, "label quantile of a " + type);
    }
  }

  private void checkFamily(String name, String type) {
    if (helps.getOrDefault(name, "").isBlank()) fault(name, "no help text");
    if (!NAME.matcher(name).matches()) fault(name, "not a legal name");
    if (CAMEL_CASE.matcher(name).find()) fault(name, "camelCase");
    checkSuffix(name, type);
    var parts = List.of(name.toLowerCase(Locale.ROOT).split("_", -1));
    if (parts.subList(1, parts.size()).contains(type)) fault(name, "its type is in its name");
    for (var part : parts) {
      if (UNITS.contains(part) || SCALED.matcher(part).matches()) {
        fault(name, part + " is no base unit");
      }
    }
    parts.stream()
        .skip(1)
        .filter(ABBREVIATIONS::contains)
        .forEach(part -> fault(name, "the unit " + part + " is abbreviated"));
  }

  private void checkSuffix(String name, String type) {
    var isCounter = type.equals("counter");
    if (isCounter != name.endsWith("_total") && !type.equals("untyped")) {
      fault(name, isCounter ? "a counter without _total" : "_total of a " + type);
    }
    var isDistribution = type.equals("histogram") || type.equals("summary");
    if (!isDistribution && (name.endsWith("_count") || name.endsWith("_sum"))) {
      fault(name, "_count and _sum are for histograms and summaries");
    }
    if (!type.equals("histogram") && name.endsWith("_bucket")) {
      fault(name, "_bucket is for histograms");
    }
  }

  private void fault(String name, String why) {
    problems.add(name + ": " + why);
  }
}
