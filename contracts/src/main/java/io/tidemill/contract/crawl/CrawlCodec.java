package io.tidemill.contract.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.Decoded;
import io.tidemill.json.FieldNames;
import io.tidemill.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes the messages of contract C1; every input has an answer.
public final class CrawlCodec {
  private static final FieldNames SUBMISSION =
      FieldNames.of("url", "email").and(CrawlOptionsCodec.NAMES);

  private CrawlCodec() {}

  /// The body of `POST /api/crawls` (C1.5).
  public static Decoded<CrawlSubmission> decodeSubmission(byte[] body) {
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the body is " + Json.fault(notJson));
    }
    try {
      if (!tree.isObject()) throw new IllegalArgumentException("the body must be a JSON object");
      SUBMISSION.requireKnown(tree);
      var email = Email.parse(text(tree, "email"));
      return new Decoded.Message<>(
          new CrawlSubmission(email, text(tree, "url"), CrawlOptionsCodec.of(tree)));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }

  private static String text(JsonNode tree, String field) {
    var node = tree.get(field);
    if (node == null || !node.isString() || node.stringValue().isBlank()) {
      throw new IllegalArgumentException(
          field + " must be a text" + (node == null ? "; it is missing" : ""));
    }
    return node.stringValue();
  }

  /// The headers of a request (C1.1): the contract's three, and options only beyond a single page.
  public static Map<String, byte[]> encodeHeaders(CrawlRequest request) {
    var headers = new LinkedHashMap<String, byte[]>();
    headers.put(CrawlNames.ID, request.id().getBytes(UTF_8));
    headers.put(CrawlNames.EMAIL, request.email().getBytes(UTF_8));
    headers.put(CrawlNames.CREATED_AT, request.createdAt().getBytes(UTF_8));
    CrawlOptionsCodec.encode(request.options())
        .forEach((name, value) -> headers.put(name, value.getBytes(UTF_8)));
    return headers;
  }

  /// Options as texts by name; none for a single page.
  public static Map<String, String> encodeOptions(CrawlOptions options) {
    return CrawlOptionsCodec.encode(options);
  }

  /// Whether a request's header is one of its options.
  public static boolean isOption(String header) {
    return CrawlOptionsCodec.isOption(header);
  }

  /// What [#encodeOptions] wrote.
  ///
  /// @throws IllegalArgumentException that says what is wrong
  public static CrawlOptions decodeOptions(Map<String, String> texts) {
    return CrawlOptionsCodec.of(texts);
  }

  /// The value of a request: exactly `{"url":"…"}` (C1.1).
  public static byte[] encodeRequest(CrawlRequest request) {
    return Json.bytes(Json.object().put("url", request.url()));
  }

  /// Reads a record of `crawl-requests` (C1.7).
  public static DecodedCrawlRequest decodeRequest(
      Map<String, byte[]> headers, byte @Nullable [] value) {
    var origin = CrawlOrigin.of(headers);
    String id;
    String email;
    try {
      id = header(headers, CrawlNames.ID);
      email = header(headers, CrawlNames.EMAIL);
      if (!CrawlNames.isId(id)) throw new IllegalArgumentException("header id is not an id");
    } catch (IllegalArgumentException incomplete) {
      return new DecodedCrawlRequest.Unaddressed(String.valueOf(incomplete.getMessage()));
    }
    try {
      var createdAt = headers.get(CrawlNames.CREATED_AT);
      var request =
          new CrawlRequest(
              id,
              email,
              createdAt == null ? "" : utf8(CrawlNames.CREATED_AT, createdAt),
              url(value),
              CrawlOptionsCodec.of(texts(headers)));
      return new DecodedCrawlRequest.Valid(request, origin);
    } catch (JacksonException notJson) {
      return new DecodedCrawlRequest.Refused(id, origin, "the request is " + Json.fault(notJson));
    } catch (IllegalArgumentException notOurs) {
      return new DecodedCrawlRequest.Refused(id, origin, String.valueOf(notOurs.getMessage()));
    }
  }

  private static String url(byte @Nullable [] value) {
    if (value == null) throw new IllegalArgumentException("the request has no value");
    var tree = Json.parse(value);
    if (!tree.isObject()) throw new IllegalArgumentException("the request must be a JSON object");
    return text(tree, "url");
  }

  private static Map<String, String> texts(Map<String, byte[]> headers) {
    var texts = new LinkedHashMap<String, String>();
    headers.forEach((name, value) -> {
      if (CrawlOptionsCodec.isOption(name)) texts.put(name, utf8(name, value));
    });
    return texts;
  }

  private static String header(Map<String, byte[]> headers, String name) {
    var value = headers.get(name);
    if (value == null) throw new IllegalArgumentException("header " + name + " is missing");
    var text = utf8(name, value);
    if (text.isBlank()) throw new IllegalArgumentException("header " + name + " is empty");
    if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f) || text.length() > 1_000) {
      throw new IllegalArgumentException("header " + name + " is not a plain text");
    }
    return text;
  }

  private static String utf8(String name, byte[] value) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException notText) {
      throw new IllegalArgumentException("header " + name + " is not UTF-8", notText);
    }
  }

  /// The value of a response (C1.2).
  public static byte[] encodeResponse(CrawlResponse response) {
    var tree = Json.object();
    switch (response) {
      case CrawlResponse.Success(var data) -> tree.put("success", true).set("scrapedData", data);
      case CrawlResponse.Failure(var why) -> tree.put("success", false).put("errorMessage", why);
    }
    return Json.bytes(tree);
  }

  /// Reads the value of a response; `scrapedData` may be an object, a string, or anything else.
  public static Decoded<CrawlResponse> decodeResponse(byte @Nullable [] value) {
    if (value == null) return new Decoded.Unreadable<>("the response has no value");
    JsonNode tree;
    try {
      tree = Json.parse(value);
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the response is " + Json.fault(notJson));
    }
    var success = tree.get("success");
    if (success == null || !success.isBoolean()) {
      return new Decoded.Malformed<>("success must be true or false");
    }
    if (success.booleanValue()) {
      var data = tree.get("scrapedData");
      return new Decoded.Message<>(
          new CrawlResponse.Success(data == null ? NullNode.getInstance() : data));
    }
    var why = tree.get("errorMessage");
    return new Decoded.Message<>(
        new CrawlResponse.Failure(
            why != null && why.isString() ? why.stringValue() : "no reason was given"));
  }

  /// The owner and id that a response names; empty when it names none.
  public static Optional<CrawlKey> decodeKey(Map<String, byte[]> headers) {
    try {
      var id = header(headers, CrawlNames.ID);
      if (!CrawlNames.isId(id)) return Optional.empty();
      return Optional.of(new CrawlKey(header(headers, CrawlNames.EMAIL), id));
    } catch (IllegalArgumentException incomplete) {
      return Optional.empty();
    }
  }

  /// The entity of a new crawl, as JSON (C1.3).
  public static String encodeNew(CrawlRequest request) {
    var tree = Json.object();
    tree.put("id", request.id());
    tree.put("url", request.url());
    tree.put("email", request.email());
    tree.put("status", CrawlStatus.PENDING.wire());
    tree.putNull("result");
    tree.put("createdAt", request.createdAt());
    return Json.text(tree);
  }

  /// The same entity at its end; what others wrote into it is kept (G1).
  public static String encodeEnded(Crawl crawl, CrawlStatus status, JsonNode result) {
    var tree = crawl.document().deepCopy();
    tree.put("status", status.wire());
    tree.set("result", result);
    return Json.text(tree);
  }

  /// What stands in an entity's `result` when the crawl failed (C1.3).
  public static JsonNode failure(String why) {
    return Json.object().put("errorMessage", why);
  }

  /// Reads an entity; empty when it is none.
  public static Optional<Crawl> decode(String json) {
    try {
      if (!(Json.parse(json) instanceof ObjectNode tree)) return Optional.empty();
      var result = tree.get("result");
      return Optional.of(
          new Crawl(
              tree.path("id").asString(""),
              tree.path("url").asString(""),
              tree.path("email").asString(""),
              CrawlStatus.of(tree.path("status").asString("")),
              result == null ? NullNode.getInstance() : result,
              tree.path("createdAt").asString(""),
              tree));
    } catch (JacksonException notJson) {
      return Optional.empty();
    }
  }
}
