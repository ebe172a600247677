package io.tidemill.trace;

import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The newest message of each kind, as an example for readers of the contracts; only for channels
/// that keep no messages themselves.
///
/// Consumers offer every message. A process stores one of each kind every few seconds, in the
/// background: an offer is cheap and never blocks or fails. Bodies over [#LARGEST] are not stored.
public final class MessageSamples {
  /// The largest body that is stored.
  public static final int LARGEST = 64 * 1024;

  private static final Logger log = LoggerFactory.getLogger(MessageSamples.class);
  private static final String KEY = "wire:samples";
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration LIFE = Duration.ofDays(7);
  private static final int LONGEST_HEADER = 1_000;

  /// One message.
  ///
  /// @param tree `{"channel","seenAt","headers":[{"name","value"}],"value"}`
  public record Sample(String kind, ObjectNode tree) {}

  private final @Nullable Redis redis;
  private final InstantSource clock;
  private final Map<String, AtomicLong> nextAt = new ConcurrentHashMap<>();

  public MessageSamples(Redis redis, InstantSource clock) {
    this.redis = redis;
    this.clock = clock;
  }

  private MessageSamples() {
    redis = null;
    clock = InstantSource.system();
  }

  /// Stores none.
  public static MessageSamples off() {
    return new MessageSamples();
  }

  /// Stores a message if it is time for one of its kind.
  ///
  /// @param kind the name of its schema
  /// @param channel that carried it
  public void offer(String kind, String channel, Map<String, ?> headers, byte[] body) {
    if (redis == null || body.length > LARGEST || !isTime(kind)) return;
    var at = clock.millis();
    Thread.ofVirtual().name("wire sample").start(() -> keep(kind, channel, headers, body, at));
  }

  /// Offers an entry of a stream, its fields as one JSON object.
  public void offerEntry(String kind, String channel, Map<String, byte[]> fields) {
    if (redis == null || weight(fields) > LARGEST || !isTime(kind)) return;
    var tree = Json.object();
    fields.forEach((name, value) -> tree.set(name, text(value)));
    var at = clock.millis();
    var body = Json.bytes(tree);
    Thread.ofVirtual().name("wire sample").start(() -> keep(kind, channel, Map.of(), body, at));
  }

  private static long weight(Map<String, byte[]> fields) {
    var weight = 0L;
    for (var value : fields.values()) weight += value.length;
    return weight;
  }

  private boolean isTime(String kind) {
    var next = nextAt.get(kind);
    if (next == null) next = nextAt.computeIfAbsent(kind, _ -> new AtomicLong(System.nanoTime()));
    var due = next.get();
    var now = System.nanoTime();
    return now - due >= 0 && next.compareAndSet(due, now + EVERY.toNanos());
  }

  private void keep(String kind, String channel, Map<String, ?> headers, byte[] body, long seenAt) {
    try {
      var tree = Json.object().put("channel", channel).put("seenAt", seenAt);
      var list = tree.putArray("headers");
      headers.forEach(
          (name, value) -> list.addObject().put("name", name).set("value", json(value)));
      tree.set("value", json(body));
      var open = redis;
      if (open == null) return;
      open.call(RedisCommand.HSET, KEY, kind, Json.text(tree));
      open.call(RedisCommand.EXPIRE, KEY, LIFE.toSeconds());
    } catch (RuntimeException failed) {
      log.debug("no sample of {}: {}", kind, failed.getMessage());
    }
  }

  // Bytes as text if they are UTF-8, else as `{"base64":…}`.
  private static JsonNode json(Object value) {
    return switch (value) {
      case byte[] bytes -> text(bytes);
      case Date time -> Json.tree(IsoTime.text(time.toInstant()));
      case String text when text.length() > LONGEST_HEADER ->
          Json.tree(text.substring(0, LONGEST_HEADER));
      default -> Json.tree(value);
    };
  }

  private static JsonNode text(byte[] bytes) {
    try {
      return Json.tree(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException notText) {
      return Json.object().put("base64", Base64.getEncoder().encodeToString(bytes));
    }
  }

  /// The stored messages by kind.
  ///
  /// @throws RedisException when Redis does not answer
  public Map<String, Sample> newest() {
    var samples = new LinkedHashMap<String, Sample>();
    if (redis == null) return samples;
    Redis.map(redis.call(RedisCommand.HGETALL, KEY))
        .forEach((kind, text) -> {
          try {
            if (Json.parse(text) instanceof ObjectNode tree)
              samples.put(kind, new Sample(kind, tree));
          } catch (JacksonException notOurs) {
            log.debug("the sample of {} is not ours", kind);
          }
        });
    return samples;
  }
}
