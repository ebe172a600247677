package io.tidemill.deadletter.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.collected.CollectedCodec;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.DecodedCrawlRequest;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.json.Json;
import io.tidemill.schema.ContractSchemas;
import io.tidemill.schema.SchemaViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Whether a message fits its contract: by the JSON Schema that everybody can read, and by the
/// codec that reads it in the end.
final class ContractCheck {
  /// A message as it would be published.
  ///
  /// @param channel topic or queue
  /// @param headers the last of each name
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Draft(
      String channel,
      byte @Nullable [] key,
      Map<String, byte[]> headers,
      byte @Nullable [] value) {}

  private ContractCheck() {}

  /// Where the schema of a message is served; null when its channel has none.
  static @Nullable String schema(String channel, byte @Nullable [] value) {
    return switch (channel) {
      case ExecutionNames.WORKFLOWS, ExecutionNames.TASKS -> flow(tree(value));
      case CrawlNames.REQUESTS -> ContractSchemas.path("crawl-request");
      case CrawlNames.RESPONSES -> ContractSchemas.path("crawl-response");
      case PageNames.QUEUE -> ContractSchemas.path("page");
      case PageNames.GONE -> ContractSchemas.path("page-gone");
      case CollectedNames.QUEUE -> collected(tree(value));
      default -> null;
    };
  }

  private static String flow(@Nullable JsonNode tree) {
    var type = tree == null ? "" : tree.path("eventType").asString("");
    return ContractSchemas.path(
        "streamops/" + (ExecutionEvent.TYPES.contains(type) ? type : "envelope"));
  }

  private static String collected(@Nullable JsonNode tree) {
    if (tree == null || tree.has("payload")) return ContractSchemas.path("collected");
    return ContractSchemas.path(tree.has("data_ref") ? "collected-legacy" : "collected-inline");
  }

  private static @Nullable JsonNode tree(byte @Nullable [] value) {
    try {
      return value == null ? null : Json.parse(value);
    } catch (JacksonException notJson) {
      return null;
    }
  }

  /// What is wrong with a message; nothing when it may go out.
  static List<SchemaViolation> check(Draft draft) {
    var value = draft.value();
    if (value == null) return SchemaViolation.of("it has no value");
    JsonNode tree;
    try {
      tree = Json.parse(value);
    } catch (JacksonException notJson) {
      return SchemaViolation.of(Json.fault(notJson));
    }
    var violations = new ArrayList<SchemaViolation>();
    var schema = schema(draft.channel(), value);
    if (schema != null) violations.addAll(ContractSchemas.check(schema, tree));
    // The codec says one thing at a time, and the schema has said it better.
    if (violations.isEmpty())
      codec(draft, value).map(SchemaViolation::of).ifPresent(violations::addAll);
    if (violations.isEmpty()) violations.addAll(identity(draft, tree));
    return List.copyOf(violations);
  }

  private static Optional<String> codec(Draft draft, byte[] value) {
    return switch (draft.channel()) {
      case ExecutionNames.WORKFLOWS, ExecutionNames.TASKS -> fault(ExecutionCodec.decode(value));
      case CrawlNames.REQUESTS -> request(draft);
      case CrawlNames.RESPONSES ->
          fault(CrawlCodec.decodeResponse(value))
              .or(() ->
                  CrawlCodec.decodeKey(draft.headers()).isPresent()
                      ? Optional.empty()
                      : Optional.of("the headers id and email must name a crawl and its owner"));
      case PageNames.QUEUE -> fault(PageCodec.decode(value));
      case PageNames.GONE -> fault(PageCodec.decodeGone(value));
      case CollectedNames.QUEUE -> fault(CollectedCodec.read(value));
      default -> Optional.empty();
    };
  }

  private static Optional<String> request(Draft draft) {
    return switch (CrawlCodec.decodeRequest(draft.headers(), draft.value())) {
      case DecodedCrawlRequest.Valid(var request, _) ->
          WebUrl.parse(request.url()).isPresent()
              ? Optional.empty()
              : Optional.of("url must be an absolute http or https URL");
      case DecodedCrawlRequest.Refused(_, _, var why) -> Optional.of(why);
      case DecodedCrawlRequest.Unaddressed(var why) -> Optional.of(why);
    };
  }

  private static <T> Optional<String> fault(Decoded<T> decoded) {
    return switch (decoded) {
      case Decoded.Message<T> _ -> Optional.empty();
      case Decoded.Unreadable<T>(var why) -> Optional.of(why);
      case Decoded.Malformed<T>(var why) -> Optional.of(why);
    };
  }

  // The key decides which partition it is in and who reads it: a message of another id there is
  // out of order at best.
  private static List<SchemaViolation> identity(Draft draft, JsonNode tree) {
    var key = draft.key() == null ? null : new String(draft.key(), UTF_8);
    for (var kind : ExecutionKind.values()) {
      if (!draft.channel().equals(kind.topic())) continue;
      var type = tree.path("eventType").asString("");
      if (ExecutionEvent.TYPES.contains(type) && !type.startsWith(kind.wire() + ".")) {
        return List.of(new SchemaViolation("/eventType", "events of " + kind.topic() + " only"));
      }
      var id = tree.path("payload").path(kind.idField());
      if (key == null || !id.isString() || id.stringValue().equals(key)) return List.of();
      return List.of(
          new SchemaViolation(
              "/payload/" + kind.idField(), "must be the key of the record: " + key));
    }
    var id = draft.headers().get(CrawlNames.ID);
    var isCrawl =
        draft.channel().equals(CrawlNames.REQUESTS) || draft.channel().equals(CrawlNames.RESPONSES);
    if (!isCrawl || key == null || id == null || !CrawlNames.isId(key)) return List.of();
    if (key.equals(new String(id, UTF_8))) return List.of();
    return SchemaViolation.of("the header id must be the key of the record: " + key);
  }
}
