package io.tidemill.contract.page;

import io.tidemill.contract.Decoded;
import io.tidemill.json.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Reads and writes the messages of contract C4; every input has an answer.
public final class PageCodec {
  /// Longer than any URL that a server takes, and short enough to be a key in any store.
  public static final int MAX_URL = 8 * 1024;

  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private PageCodec() {}

  /// The message's body, exactly as the contract's table (C4.2).
  public static byte[] encode(PageMessage page) {
    var tree = Json.object();
    tree.put("url", wellFormed(page.url()));
    tree.put("text", wellFormed(page.text()));
    tree.putObject("metadata")
        .put("title", wellFormed(page.title()))
        .put("description", wellFormed(page.description()))
        .put("timestamp", time(page.timestamp()))
        .put("status_code", page.statusCode());
    return Json.bytes(tree);
  }

  /// A page as anybody may have written it (C4.2, G7).
  public static Decoded<PageMessage> decode(byte[] body) {
    return decode(body, PageCodec::page);
  }

  /// The body of a [PageGone].
  public static byte[] encodeGone(PageGone gone) {
    return Json.bytes(
        Json.object()
            .put("url", wellFormed(gone.url()))
            .put("timestamp", time(gone.timestamp()))
            .put("reason", wellFormed(gone.reason())));
  }

  /// What [#encodeGone] wrote.
  public static Decoded<PageGone> decodeGone(byte[] body) {
    return decode(
        body,
        tree ->
            new PageGone(
                url(tree),
                PageTime.read(string(tree, "timestamp", "timestamp")),
                optional(tree, "reason", "reason")));
  }

  private static <T> Decoded<T> decode(byte[] body, Function<JsonNode, T> read) {
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the body is " + Json.fault(notJson));
    }
    try {
      if (!tree.isObject()) throw new IllegalArgumentException("the body must be a JSON object");
      return new Decoded.Message<>(read.apply(tree));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }

  // `html` instead of `text` is malformed: we would index tags (C4.2).
  private static PageMessage page(JsonNode tree) {
    var metadata = tree.path("metadata");
    if (!metadata.isObject()) throw new IllegalArgumentException("metadata must be an object");
    return new PageMessage(
        url(tree),
        string(tree, "text", "text"),
        string(metadata, "title", "metadata.title"),
        optional(metadata, "description", "metadata.description"),
        PageTime.read(string(metadata, "timestamp", "metadata.timestamp")),
        statusCode(metadata.get("status_code")));
  }

  // It becomes a link in somebody's browser and a key in a store.
  private static String url(JsonNode tree) {
    var url = string(tree, "url", "url");
    var fault = fault(url);
    if (!fault.isEmpty()) throw new IllegalArgumentException("url " + fault);
    return url;
  }

  /// What is wrong with the URL of a page; empty when nothing is.
  static String fault(String url) {
    if (!url.regionMatches(true, 0, "http://", 0, 7)
        && !url.regionMatches(true, 0, "https://", 0, 8)) {
      return "must be an http or https URL";
    }
    if (url.length() > MAX_URL) return "is longer than " + MAX_URL + " characters";
    return url.chars().anyMatch(Character::isISOControl) ? "has control characters" : "";
  }

  private static String string(JsonNode tree, String field, String name) {
    var node = tree.get(field);
    if (node == null) throw new IllegalArgumentException(name + " is missing");
    if (!node.isString()) throw new IllegalArgumentException(name + " must be a string");
    return node.stringValue();
  }

  private static String optional(JsonNode tree, String field, String name) {
    var node = tree.get(field);
    return node == null || node.isNull() ? "" : string(tree, field, name);
  }

  private static int statusCode(@Nullable JsonNode node) {
    if (node == null || !node.isIntegralNumber() || !node.canConvertToInt()) {
      throw new IllegalArgumentException("metadata.status_code must be an integer");
    }
    return node.intValue();
  }

  private static String time(Instant instant) {
    return WRITTEN.format(instant);
  }

  /// Half a surrogate pair has no place in UTF-8, and readers in other languages fall over it.
  static String wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < Character.MIN_SURROGATE) continue;
      if (isHalf(text, i)) return replaceHalves(text, i);
      if (Character.isHighSurrogate(text.charAt(i))) i++;
    }
    return text;
  }

  private static String replaceHalves(String text, int first) {
    var whole = new StringBuilder(text);
    for (int i = first; i < text.length(); i++) {
      if (isHalf(text, i)) whole.setCharAt(i, '\uFFFD');
      else if (Character.isHighSurrogate(text.charAt(i))) i++;
    }
    return whole.toString();
  }

  // Asked only where no pair is under way.
  private static boolean isHalf(String text, int at) {
    var c = text.charAt(at);
    if (!Character.isSurrogate(c)) return false;
    return Character.isLowSurrogate(c)
        || at + 1 == text.length()
        || !Character.isLowSurrogate(text.charAt(at + 1));
  }
}
