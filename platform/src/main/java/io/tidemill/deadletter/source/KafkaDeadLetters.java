package io.tidemill.deadletter.source;

import io.tidemill.deadletter.ByteText;
import io.tidemill.deadletter.DeadLetterEdit;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.DeathReason;
import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.InvalidCursor;
import io.tidemill.deadletter.PublishedCheck;
import io.tidemill.deadletter.Redelivery;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.consumer.DeadRecord;
import io.tidemill.kafka.inspect.DeadTopicReader;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.RedisLock;
import io.tidemill.redis.StoreRetry;
import io.tidemill.schema.SchemaViolation;
import io.tidemill.service.Unavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Records of one Kafka topic that could not be handled: its dead letters.
public final class KafkaDeadLetters implements DeadLetterSource {
  private static final Logger log = LoggerFactory.getLogger(KafkaDeadLetters.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  // Longer than a record can be under way to its topic.
  private static final Duration CLAIM = Duration.ofSeconds(30);
  private static final Pattern PLACE = Pattern.compile("([0-9]{1,9})-([0-9]{1,18})");

  private final String topic;
  private final DeadTopicReader reader;
  private final KafkaPublisher publisher;
  private final PublishedCheck sent;
  private final HandledNotes notes;
  private final RedisLock locks;

  public KafkaDeadLetters(
      String topic,
      DeadTopicReader reader,
      KafkaPublisher publisher,
      PublishedCheck sent,
      HandledNotes notes,
      RedisLock locks) {
    this.topic = topic;
    this.reader = reader;
    this.publisher = publisher;
    this.sent = sent;
    this.notes = notes;
    this.locks = locks;
  }

  @Override
  public String carrier() {
    return "kafka";
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    var from = before == null ? Map.<Integer, Long>of() : places(before);
    var page = asked(() -> reader.newest(topic, from, limit));
    var done = notes.of(page.letters().stream().map(DeadRecord::name).toList());
    return new Page(
        page.letters().stream().map(letter -> encode(letter, done.get(letter.name()))).toList(),
        page.total(),
        page.before().isEmpty() ? null : text(page.before()));
  }

  private static String text(Map<Integer, Long> places) {
    return new TreeMap<>(places)
        .entrySet().stream()
            .map(place -> place.getKey() + "-" + place.getValue())
            .collect(Collectors.joining(","));
  }

  private static Map<Integer, Long> places(String text) {
    var places = new TreeMap<Integer, Long>();
    for (var place : text.split(",", -1)) {
      var found = PLACE.matcher(place);
      if (!found.matches()) throw new InvalidCursor(text);
      places.put(Integer.valueOf(found.group(1)), Long.valueOf(found.group(2)));
    }
    return places;
  }

  @Override
  public long total() {
    return asked(() -> reader.count(topic));
  }

  @Override
  public long discarded() {
    return notes.discarded();
  }

  @Override
  public long waiting() {
    return notes.waiting(this);
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return letter(id).map(letter -> whole(letter, notes.of(letter.name()).orElse(null)));
  }

  private Optional<DeadRecord> letter(String id) {
    if (!id.startsWith(topic + ":")) return Optional.empty();
    var place = PLACE.matcher(id.substring(topic.length() + 1));
    if (!place.matches()) return Optional.empty();
    var partition = Integer.parseInt(place.group(1));
    var offset = Long.parseLong(place.group(2));
    return asked(() -> reader.find(topic, partition, offset));
  }

  @Override
  public Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again) {
    return letter(id)
        .map(letter -> {
          var record = changed(letter, edit);
          var violations =
              edit.isNone() ? List.<SchemaViolation>of() : ContractCheck.check(draft(record));
          return violations.isEmpty()
              ? redrive(letter, record, again, UUID.randomUUID().toString())
              : new RedriveResult.SchemaMismatch(violations);
        });
  }

  @Override
  public Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit) {
    return letter(id).map(letter -> ContractCheck.check(draft(changed(letter, edit))));
  }

  // Key, partition and time stay: it takes the place of the original.
  private static OutgoingRecord changed(DeadRecord letter, DeadLetterEdit edit) {
    var original = letter.original();
    var headers =
        edit.headers() == null
            ? original.headers()
            : edit.headers().stream()
                .map(header -> new KafkaHeader(header.name(), header.bytes()))
                .toList();
    return new OutgoingRecord(
        original.topic(),
        original.key(),
        headers,
        edit.value() == null ? original.value() : edit.value().getBytes(StandardCharsets.UTF_8),
        original.at(),
        original.partition());
  }

  private static ContractCheck.Draft draft(OutgoingRecord record) {
    var headers = new LinkedHashMap<String, byte[]>();
    for (var header : record.headers()) {
      if (header.value() != null) headers.put(header.name(), header.value());
    }
    return new ContractCheck.Draft(record.topic(), record.key(), headers, record.value());
  }

  // One at a time, or two at the same moment would both find that nobody has done it yet.
  private RedriveResult redrive(
      DeadRecord letter, OutgoingRecord record, boolean again, String holder) {
    var turn = "redrive:" + id(letter);
    if (!StoreRetry.answer(() -> locks.take(turn, holder, CLAIM))) {
      return new RedriveResult.Busy("somebody else redrives it at this moment");
    }
    try {
      var before = notes.of(letter.name());
      if (before.isPresent() && !again) return new RedriveResult.HandledBefore(before.get());
      return publish(letter, record);
    } finally {
      leave(turn, holder);
    }
  }

  private void leave(String turn, String holder) {
    try {
      locks.leave(turn, holder);
    } catch (RedisException silent) {
      log.debug("{} runs out by itself: {}", turn, silent.getMessage());
    }
  }

  // Published first: a crash in between means a second copy, which the readers of our topics tell
  // from the first by its key (G4); noted first it would mean none.
  private RedriveResult publish(DeadRecord letter, OutgoingRecord record) {
    var published = asked(() -> publisher.publish(record));
    notes.redriven(letter.name());
    return new RedriveResult.SentToTopic(
        id(letter), topic, published.partition(), published.offset());
  }

  // Who takes over looks behind the end that the topic had before.
  @Override
  public Optional<Redelivery> redelivery(String id) {
    return letter(id)
        .map(letter ->
            new Redelivery() {
              @Override
              public String checkpoint() {
                return text(asked(() -> sent.ends(letter.original())));
              }

              @Override
              public RedriveResult send(String key) {
                return redrive(letter, letter.original(), false, key);
              }

              @Override
              public boolean alreadySent(String checkpoint) {
                var note = notes.of(letter.name());
                if (note.isPresent()) return note.get().how() == How.REDRIVEN;
                var gone = asked(() -> sent.contains(letter.original(), places(checkpoint)));
                if (gone) notes.redriven(letter.name());
                return gone;
              }
            });
  }

  // The topic keeps it: it is shown no longer, unless somebody asks for it.
  @Override
  public boolean discard(String id) {
    var letter = letter(id);
    letter.ifPresent(found -> notes.discard(found.name()));
    return letter.isPresent();
  }

  @Override
  public void tidy() {
    notes.tidy(names -> {
      var kept = asked(() -> reader.kept(topic));
      return names.stream().filter(name -> !isKept(name, kept)).toList();
    });
  }

  private static boolean isKept(String name, BiPredicate<Integer, Long> kept) {
    var place = PLACE.matcher(name.substring(0, Math.max(0, name.indexOf('@'))));
    return place.matches()
        && kept.test(Integer.valueOf(place.group(1)), Long.valueOf(place.group(2)));
  }

  private static <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (KafkaException failed) {
      log.warn("{}", failed.getMessage());
      throw new Unavailable("Kafka does not answer", RETRY_AFTER, failed);
    }
  }

  private String id(DeadRecord letter) {
    return topic + ":" + letter.partition() + "-" + letter.offset();
  }

  private ObjectNode encode(DeadRecord letter, @Nullable Note note) {
    var tree = Json.object();
    tree.put("id", id(letter));
    tree.put("source", topic);
    tree.put("origin", topic);
    if (letter.originPartition() < 0) tree.putNull("origin_id");
    else tree.put("origin_id", letter.originPartition() + "-" + letter.originOffset());
    ByteText.put(tree, "key", letter.key());
    tree.put("attempts", letter.attempts());
    tree.put("reason", DeathReason.of(letter.reason(), letter.attempts()));
    tree.put("message", letter.reason());
    tree.put("ts", letter.at().toEpochMilli());
    tree.put("size", letter.size());
    HandledNotes.put(tree, note);
    return tree;
  }

  private ObjectNode whole(DeadRecord letter, @Nullable Note note) {
    var tree = encode(letter, note);
    if (letter.originAt() != null) tree.put("origin_ts", letter.originAt().toEpochMilli());
    var headers = tree.putArray("headers");
    for (var header : letter.headers()) {
      ByteText.put(headers.addObject().put("name", header.name()), "value", header.value());
    }
    ByteText.putValue(tree, letter.value());
    if (!letter.stack().isEmpty()) tree.put("stack", letter.stack());
    tree.put("schema", ContractCheck.schema(topic, letter.value()));
    return tree.put("editable", !tree.has("cut"));
  }
}
