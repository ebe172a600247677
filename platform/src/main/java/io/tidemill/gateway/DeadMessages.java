package io.tidemill.gateway;

import io.tidemill.broker.amqp.AmqpException;
import io.tidemill.broker.amqp.DeadLetter;
import io.tidemill.broker.amqp.DeadQueue;
import io.tidemill.broker.amqp.DeadQueue.Redrive;
import io.tidemill.contract.Json;
import io.tidemill.http.Parameters;
import io.tidemill.http.Response;
import io.tidemill.http.Stored;
import io.tidemill.http.Unavailable;
import io.tidemill.store.redis.StoreException;
import io.tidemill.store.redis.Turns;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Messages of AMQP queues that could not be handled: their queue of dead letters.
///
/// Who looks into it holds what it sees, so gateways take turns.
final class DeadMessages implements DeadSource {
  private static final Logger log = LoggerFactory.getLogger(DeadMessages.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(50);

  // Longer than a look takes. Who waits for a broker that is away may lose it: then others see
  // less, and nobody moves anything twice.
  private static final Duration TURN = Duration.ofSeconds(15);
  private static final String REASON = "DEAD_LETTER";

  private final String source;
  private final DeadQueue letters;
  private final Turns turns;

  /// @param source the queue whose messages died
  DeadMessages(String source, DeadQueue letters, Turns turns) {
    this.source = source;
    this.letters = letters;
    this.turns = turns;
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    var from = before == null ? DeadQueue.MOST_SEEN : position(before);
    var page = inTurn(() -> letters.newest(from, limit));
    return new Page(
        page.letters().stream().map(this::encode).toList(),
        page.total(),
        page.older() == 0 ? null : String.valueOf(page.older()));
  }

  private static int position(String text) {
    try {
      var position = Integer.parseInt(text);
      if (position > 0 && position <= DeadQueue.MOST_SEEN) return position;
    } catch (NumberFormatException notOurs) {
      // said below
    }
    throw new Parameters.Wrong("before", "the next of another page");
  }

  @Override
  public long waiting() {
    return asked(letters::count);
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return name(id).flatMap(name -> inTurn(() -> letters.find(name))).map(this::whole);
  }

  private Optional<String> name(String id) {
    if (!id.startsWith(source + ":")) return Optional.empty();
    return Optional.of(id.substring(source.length() + 1)).filter(DeadLetter::isId);
  }

  // It is gone with its redrive, so there is no second one.
  @Override
  public Optional<Response> redrive(String id, boolean again) {
    return name(id)
        .flatMap(name -> inTurn(() -> letters.redrive(name)))
        .map(end -> answer(id, end));
  }

  private static Response answer(String id, Redrive end) {
    return switch (end) {
      case Redrive.Moved(var queue) ->
          Response.accepted(Json.object().put("redriven", id).put("queue", queue));
      case Redrive.NoOrigin(var why) -> Response.problem(422, "it can't go back: " + why);
      case Redrive.NoQueue(var queue) ->
          Response.problem(409, "there is no queue " + queue + " to go back to; it stays dead");
    };
  }

  private <T> T inTurn(Supplier<T> question) {
    var holder = UUID.randomUUID().toString();
    awaitTurn(holder);
    try {
      return asked(question);
    } finally {
      leave(holder);
    }
  }

  private void awaitTurn(String holder) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!Stored.answer(() -> turns.take(turn(), holder, TURN))) {
      if (System.nanoTime() - deadline > 0) {
        throw new Unavailable("others look at the dead of " + source, RETRY_AFTER);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new Unavailable("the gateway is stopping", RETRY_AFTER, stop);
    }
  }

  private void leave(String holder) {
    try {
      turns.leave(turn(), holder);
    } catch (StoreException silent) {
      log.debug("the turn at the dead of {} runs out by itself: {}", source, silent.getMessage());
    }
  }

  private String turn() {
    return "dead:" + source;
  }

  private static <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (AmqpException failed) {
      log.warn("{}", failed.getMessage());
      throw new Unavailable("the AMQP broker does not answer", RETRY_AFTER, failed);
    }
  }

  private ObjectNode encode(DeadLetter letter) {
    var tree = Json.object();
    tree.put("id", source + ":" + letter.id());
    tree.put("source", source);
    tree.put("origin", letter.origin());
    tree.put("origin_id", letter.messageId());
    tree.put("attempts", letter.attempts());
    tree.put("reason", REASON);
    tree.put("message", letter.reason());
    tree.put("ts", time(letter).toEpochMilli());
    tree.put("size", letter.size());
    return tree;
  }

  private static Instant time(DeadLetter letter) {
    if (letter.diedAt() != null) return letter.diedAt();
    return letter.timestamp() == null ? Instant.EPOCH : letter.timestamp();
  }

  private ObjectNode whole(DeadLetter letter) {
    var tree = encode(letter);
    if (letter.timestamp() != null) tree.put("origin_ts", letter.timestamp().toEpochMilli());
    if (letter.contentType() != null) tree.put("content_type", letter.contentType());
    var headers = tree.putArray("headers");
    letter.headers().forEach((name, value) -> put(headers.addObject().put("name", name), value));
    if (letter.body() != null) put(tree, letter.body());
    return tree;
  }

  // As text where it is one, else as `…_base64`; numbers, lists and the like as they are.
  private static void put(ObjectNode tree, Object value) {
    switch (value) {
      case byte[] bytes -> put(tree, bytes);
      case Date time -> tree.put("value", time.toInstant().toString());
      default -> tree.set("value", Json.tree(value));
    }
  }

  private static void put(ObjectNode tree, byte[] bytes) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      tree.put("value", text);
    } catch (CharacterCodingException notText) {
      tree.put("value_base64", Base64.getEncoder().encodeToString(bytes));
    }
  }
}
