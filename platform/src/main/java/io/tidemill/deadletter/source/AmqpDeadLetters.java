package io.tidemill.deadletter.source;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.consumer.DeadMessage;
import io.tidemill.amqp.inspect.DeadQueueReader;
import io.tidemill.amqp.inspect.DeadQueueReader.Redrive;
import io.tidemill.deadletter.ByteText;
import io.tidemill.deadletter.DeadLetterEdit;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.DeathReason;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.InvalidCursor;
import io.tidemill.deadletter.Redelivery;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.json.Json;
import io.tidemill.redis.DistributedLock;
import io.tidemill.redis.RedisLock;
import io.tidemill.schema.SchemaViolation;
import io.tidemill.service.Unavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Messages of AMQP queues that could not be handled: their queue of dead letters.
///
/// Who looks into it holds what it sees, so gateways take turns.
public final class AmqpDeadLetters implements DeadLetterSource {
  private static final Logger log = LoggerFactory.getLogger(AmqpDeadLetters.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  // Longer than a look takes. Who waits for a broker that is away may lose it: then others see
  // less, and nobody moves anything twice.
  private static final Duration TURN = Duration.ofSeconds(15);

  private final String source;
  private final DeadQueueReader reader;
  private final DistributedLock lock;
  private final HandledNotes notes;

  /// @param source the queue whose messages died
  public AmqpDeadLetters(
      String source, DeadQueueReader reader, RedisLock locks, HandledNotes notes) {
    this.source = source;
    this.reader = reader;
    this.lock = new DistributedLock(locks, PATIENCE, TURN);
    this.notes = notes;
  }

  @Override
  public String carrier() {
    return "amqp";
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    var from = before == null ? DeadQueueReader.MOST_SEEN : position(before);
    var page = locked(() -> reader.newest(from, limit));
    var done = notes.of(page.letters().stream().map(DeadMessage::id).toList());
    return new Page(
        page.letters().stream().map(letter -> encode(letter, done.get(letter.id()))).toList(),
        page.total(),
        page.older() == 0 ? null : String.valueOf(page.older()));
  }

  // A queue is read from its head each time, so all at once is cheapest.
  @Override
  public Page newest(long deadline) {
    return list(MOST_SEEN, null);
  }

  private static int position(String text) {
    try {
      var position = Integer.parseInt(text);
      if (position > 0 && position <= DeadQueueReader.MOST_SEEN) return position;
    } catch (NumberFormatException notOurs) {
      // said below
    }
    throw new InvalidCursor(text);
  }

  @Override
  public long total() {
    return asked(reader::count);
  }

  @Override
  public long waiting() {
    return Math.max(0, total() - notes.redriven());
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return name(id).flatMap(name -> locked(() -> reader.find(name))).map(this::whole);
  }

  private Optional<String> name(String id) {
    if (!id.startsWith(source + ":")) return Optional.empty();
    return Optional.of(id.substring(source.length() + 1)).filter(DeadMessage::isId);
  }

  @Override
  public Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again) {
    return name(id).flatMap(name -> redrive(id, name, edit, again));
  }

  private Optional<RedriveResult> redrive(
      String id, String name, DeadLetterEdit edit, boolean again) {
    return locked(() -> {
      var before = notes.of(name);
      if (before.isPresent() && !again) {
        return reader.find(name).map(_ -> new RedriveResult.HandledBefore(before.get()));
      }
      return edit.isNone() ? move(id, name) : copy(id, name, edit);
    });
  }

  // Noted in between: who takes over from one that died here sees that it is in its queue.
  private Optional<RedriveResult> move(String id, String name) {
    var end = reader.redrive(name, () -> notes.redriven(name));
    if (end.isPresent() && end.get() instanceof Redrive.Moved(_, var isGone) && isGone) {
      notes.forget(name);
    }
    return end.map(found -> result(id, found));
  }

  private Optional<RedriveResult> copy(String id, String name, DeadLetterEdit edit) {
    var letter = reader.find(name);
    if (letter.isEmpty()) return Optional.empty();
    var violations = ContractCheck.check(draft(letter.get(), edit));
    if (!violations.isEmpty()) return Optional.of(new RedriveResult.SchemaMismatch(violations));
    var end = reader.redriveAs(name, headers(letter.get(), edit), body(letter.get(), edit));
    if (end.isPresent() && end.get() instanceof Redrive.Moved) notes.redriven(name);
    return end.map(found -> result(id, found));
  }

  @Override
  public boolean discard(String id) {
    return name(id).filter(this::takeOut).isPresent();
  }

  private boolean takeOut(String name) {
    var isOut = locked(() -> reader.discard(name));
    if (isOut) notes.forget(name);
    return isOut;
  }

  // In one turn, so that nobody makes a note meanwhile.
  @Override
  public void tidy() {
    if (notes.redriven() == 0) return;
    locked(() -> {
      var there = new HashSet<String>();
      var areAll = reader.forEach(letter -> there.add(letter.id()));
      if (areAll) {
        notes.tidy(names -> names.stream().filter(name -> !there.contains(name)).toList());
      }
      return areAll;
    });
  }

  @Override
  public Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit) {
    return name(id)
        .flatMap(name -> locked(() -> reader.find(name)))
        .map(letter -> ContractCheck.check(draft(letter, edit)));
  }

  private static ContractCheck.Draft draft(DeadMessage letter, DeadLetterEdit edit) {
    return new ContractCheck.Draft(letter.origin(), null, Map.of(), body(letter, edit));
  }

  private static byte[] body(DeadMessage letter, DeadLetterEdit edit) {
    if (edit.value() != null) return edit.value().getBytes(StandardCharsets.UTF_8);
    return letter.body() == null ? new byte[0] : letter.body();
  }

  private static Map<String, Object> headers(DeadMessage letter, DeadLetterEdit edit) {
    if (edit.headers() == null) return letter.headers();
    var headers = new LinkedHashMap<String, Object>();
    edit.headers().forEach(header -> headers.put(header.name(), header.value()));
    return headers;
  }

  @Override
  public Optional<Redelivery> redelivery(String id) {
    return name(id)
        .filter(name -> locked(() -> reader.find(name)).isPresent())
        .map(name ->
            new Redelivery() {
              @Override
              public RedriveResult send(String key) {
                return redrive(id, name, DeadLetterEdit.NONE, false)
                    .orElseGet(RedriveResult.Gone::new);
              }

              // The one who died had it in its queue, and only had to take it from here.
              @Override
              public boolean alreadySent(String checkpoint) {
                if (notes.of(name).isEmpty()) return false;
                takeOut(name);
                return true;
              }
            });
  }

  private static RedriveResult result(String id, Redrive end) {
    return switch (end) {
      case Redrive.Moved(var queue, _) -> new RedriveResult.SentToQueue(id, queue);
      case Redrive.NoOrigin(var why) -> new RedriveResult.Impossible("it can't go back: " + why);
      case Redrive.NoQueue(var queue) -> new RedriveResult.NoQueue(queue);
    };
  }

  private <T> T locked(Supplier<T> question) {
    return lock.answer(
        "dead:" + source, "others look at the dead of " + source, () -> asked(question));
  }

  private static <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (AmqpException failed) {
      log.warn("{}", failed.getMessage());
      throw new Unavailable("the AMQP broker does not answer", RETRY_AFTER, failed);
    }
  }

  private ObjectNode encode(DeadMessage letter, @Nullable Note note) {
    var tree = Json.object();
    tree.put("id", source + ":" + letter.id());
    tree.put("source", source);
    tree.put("origin", letter.origin());
    tree.put("origin_id", letter.messageId());
    tree.put("attempts", letter.attempts());
    tree.put("reason", DeathReason.of(letter.reason(), letter.attempts()));
    tree.put("message", letter.reason());
    tree.put("ts", time(letter).toEpochMilli());
    tree.put("size", letter.size());
    HandledNotes.put(tree, note);
    reader.fault(letter.origin()).ifPresent(why -> tree.put("fault", why));
    return tree;
  }

  private static Instant time(DeadMessage letter) {
    if (letter.diedAt() != null) return letter.diedAt();
    return letter.timestamp() == null ? Instant.EPOCH : letter.timestamp();
  }

  private ObjectNode whole(DeadMessage letter) {
    var tree = encode(letter, notes.of(letter.id()).orElse(null));
    if (letter.timestamp() != null) tree.put("origin_ts", letter.timestamp().toEpochMilli());
    if (letter.contentType() != null) tree.put("content_type", letter.contentType());
    var headers = tree.putArray("headers");
    letter
        .headers()
        .forEach((name, value) ->
            ByteText.putAny(headers.addObject().put("name", name), "value", value));
    if (letter.body() != null) ByteText.putValue(tree, letter.body());
    tree.put("schema", ContractCheck.schema(letter.origin(), letter.body()));
    return tree.put("editable", !tree.has("cut") && !tree.has("fault"));
  }
}
