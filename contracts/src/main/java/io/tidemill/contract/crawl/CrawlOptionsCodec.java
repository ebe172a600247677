package io.tidemill.contract.crawl;

import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Options of a crawl as fields of a body and as extra headers (C1.5).
final class CrawlOptionsCodec {
  private static final int MOST_PAGES = 10_000_000;
  private static final int MOST_DEPTH = 1_000;
  private static final int MOST_PATTERNS = 50;
  private static final int LONGEST_PATTERN = 1_000;
  private static final int LONGEST_PROJECT = 100;
  private static final int DEPTH_OF_A_SITE = 10;
  static final List<String> NAMES =
      List.of(
          "maxPages",
          "maxDepth",
          "include",
          "exclude",
          "scope",
          "sitemaps",
          "maxBytes",
          "maxSeconds",
          "recrawl",
          "project",
          "dryRun",
          "maxAge");

  private CrawlOptionsCodec() {}

  static boolean isOption(String name) {
    return NAMES.contains(name);
  }

  static CrawlOptions of(JsonNode body) {
    var pages = (int) number(body, "maxPages", 1, 1, MOST_PAGES);
    return new CrawlOptions(
        pages,
        (int) number(body, "maxDepth", pages == 1 ? 0 : DEPTH_OF_A_SITE, 0, MOST_DEPTH),
        patterns(body, "include"),
        patterns(body, "exclude"),
        scope(body),
        flag(body, "sitemaps"),
        number(body, "maxBytes", 0, 0, Long.MAX_VALUE),
        number(body, "maxSeconds", 0, 0, Integer.MAX_VALUE),
        flag(body, "recrawl"),
        project(body),
        flag(body, "dryRun"),
        number(body, "maxAge", -1, 0, Integer.MAX_VALUE));
  }

  /// The headers' texts as a body would say it.
  static CrawlOptions of(Map<String, String> headers) {
    if (headers.isEmpty()) return CrawlOptions.SINGLE;
    ObjectNode body = Json.object();
    headers.forEach((name, text) -> {
      var isText = name.equals("scope") || name.equals("project");
      body.set(name, isText ? Json.tree(text) : json(name, text));
    });
    return of(body);
  }

  private static JsonNode json(String name, String text) {
    try {
      return Json.parse(text);
    } catch (tools.jackson.core.JacksonException notJson) {
      throw new IllegalArgumentException("header " + name + " can't be read", notJson);
    }
  }

  static Map<String, String> encode(CrawlOptions options) {
    var headers = new LinkedHashMap<String, String>();
    if (!options.isSinglePage()) {
      headers.put("maxPages", String.valueOf(options.maxPages()));
      headers.put("maxDepth", String.valueOf(options.maxDepth()));
      headers.put("scope", options.scope().wire());
    }
    if (!options.include().isEmpty()) headers.put("include", Json.text(options.include()));
    if (!options.exclude().isEmpty()) headers.put("exclude", Json.text(options.exclude()));
    if (options.sitemaps()) headers.put("sitemaps", "true");
    if (options.maxBytes() > 0) headers.put("maxBytes", String.valueOf(options.maxBytes()));
    if (options.maxSeconds() > 0) headers.put("maxSeconds", String.valueOf(options.maxSeconds()));
    if (options.recrawl()) headers.put("recrawl", "true");
    if (options.maxAge() >= 0) headers.put("maxAge", String.valueOf(options.maxAge()));
    if (!options.project().isEmpty()) headers.put("project", options.project());
    if (options.dryRun()) headers.put("dryRun", "true");
    return headers;
  }

  private static long number(JsonNode body, String field, long without, long least, long most) {
    var node = field(body, field);
    if (node == null) return without;
    if (!node.isIntegralNumber()
        || !node.canConvertToLong()
        || node.longValue() < least
        || node.longValue() > most) {
      var range = most == Long.MAX_VALUE ? "at least " + least : "from " + least + " to " + most;
      throw new IllegalArgumentException(field + " must be a whole number " + range);
    }
    return node.longValue();
  }

  private static boolean flag(JsonNode body, String field) {
    var node = field(body, field);
    if (node == null) return false;
    if (!node.isBoolean()) throw new IllegalArgumentException(field + " must be true or false");
    return node.booleanValue();
  }

  private static List<String> patterns(JsonNode body, String field) {
    var node = field(body, field);
    if (node == null) return List.of();
    var patterns = new ArrayList<String>();
    if (node.isString()) {
      patterns.add(node.stringValue());
    } else if (node.isArray()) {
      for (var element : node) {
        if (!element.isString()) throw new IllegalArgumentException(field + " must hold texts");
        patterns.add(element.stringValue());
      }
    } else {
      throw new IllegalArgumentException(field + " must be a list of patterns");
    }
    if (patterns.size() > MOST_PATTERNS) {
      throw new IllegalArgumentException(field + " has more than " + MOST_PATTERNS + " patterns");
    }
    if (patterns.stream().anyMatch(pattern -> pattern.length() > LONGEST_PATTERN)) {
      throw new IllegalArgumentException(
          field + " has a pattern longer than " + LONGEST_PATTERN + " characters");
    }
    return patterns;
  }

  private static CrawlScope scope(JsonNode body) {
    var node = field(body, "scope");
    if (node == null) return CrawlScope.HOST;
    return CrawlScope.of(node.asString(""))
        .orElseThrow(
            () -> new IllegalArgumentException("scope must be one of " + CrawlScope.NAMES));
  }

  private static String project(JsonNode body) {
    var node = field(body, "project");
    if (node == null) return "";
    var project = node.asString("");
    if (project.length() > LONGEST_PROJECT || !project.matches("[A-Za-z0-9_-]+")) {
      throw new IllegalArgumentException(
          "project must be letters, digits, - and _, at most " + LONGEST_PROJECT);
    }
    return project;
  }

  private static @Nullable JsonNode field(JsonNode body, String name) {
    var node = body.get(name);
    return node == null || node.isNull() ? null : node;
  }
}
