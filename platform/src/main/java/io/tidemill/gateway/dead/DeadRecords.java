package io.tidemill.gateway.dead;

import io.tidemill.broker.kafka.DeadLetter;
import io.tidemill.broker.kafka.DeadTopics;
import io.tidemill.broker.kafka.KafkaException;
import io.tidemill.broker.kafka.KafkaHeader;
import io.tidemill.broker.kafka.Outgoing;
import io.tidemill.broker.kafka.Publisher;
import io.tidemill.contract.Json;
import io.tidemill.http.Parameters;
import io.tidemill.http.Response;
import io.tidemill.http.Stored;
import io.tidemill.http.Unavailable;
import io.tidemill.store.redis.Redriven;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Records of one Kafka topic that could not be handled: its dead letters.
final class DeadRecords implements DeadSource {
  private static final Logger log = LoggerFactory.getLogger(DeadRecords.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final int NEWEST = 100;
  private static final String REASON = "DEAD_LETTER";
  private static final Pattern PLACE = Pattern.compile("([0-9]{1,9})-([0-9]{1,18})");

  private final String topic;
  private final DeadTopics letters;
  private final Publisher publisher;
  private final Sent sent;
  private final Redriven redriven;
  private final InstantSource clock;

  DeadRecords(
      String topic,
      DeadTopics letters,
      Publisher publisher,
      Sent sent,
      Redriven redriven,
      InstantSource clock) {
    this.topic = topic;
    this.letters = letters;
    this.publisher = publisher;
    this.sent = sent;
    this.redriven = redriven;
    this.clock = clock;
  }

  @Override
  public String carrier() {
    return "kafka";
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    var from = before == null ? Map.<Integer, Long>of() : places(before);
    var page = asked(() -> letters.newest(topic, from, limit));
    var again = redriven(page.letters());
    return new Page(
        page.letters().stream().map(letter -> encode(letter, again.get(name(letter)))).toList(),
        page.total(),
        page.before().isEmpty() ? null : text(page.before()));
  }

  private Map<String, Instant> redriven(List<DeadLetter> page) {
    return Stored.answer(() -> redriven.of(topic, page.stream().map(DeadRecords::name).toList()));
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
      if (!found.matches()) throw new Parameters.Wrong("before", "the next of another page");
      places.put(Integer.valueOf(found.group(1)), Long.valueOf(found.group(2)));
    }
    return places;
  }

  @Override
  public long total() {
    return asked(() -> letters.count(topic));
  }

  // Notes of letters that are gone stay behind, so the difference alone could hide new letters.
  @Override
  public long waiting() {
    var all = total();
    if (all == 0) return 0;
    var noted = Stored.answer(() -> redriven.count(topic));
    return noted == 0 ? all : Math.max(all - noted, newestWaiting());
  }

  private long newestWaiting() {
    return list(NEWEST, null).dead().stream().filter(dead -> !dead.has("redriven_at")).count();
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return letter(id).map(letter -> whole(letter, redriven(List.of(letter)).get(name(letter))));
  }

  private Optional<DeadLetter> letter(String id) {
    if (!id.startsWith(topic + ":")) return Optional.empty();
    var place = PLACE.matcher(id.substring(topic.length() + 1));
    if (!place.matches()) return Optional.empty();
    var partition = Integer.parseInt(place.group(1));
    var offset = Long.parseLong(place.group(2));
    return asked(() -> letters.find(topic, partition, offset));
  }

  @Override
  public Optional<Response> redrive(String id, Edit edit, boolean again) {
    return letter(id)
        .map(letter -> {
          var record = changed(letter, edit);
          var violations =
              edit.isNone() ? List.<Violation>of() : ContractCheck.check(draft(record));
          return violations.isEmpty() ? redrive(letter, record, again) : Answers.misfit(violations);
        });
  }

  @Override
  public Optional<List<Violation>> check(String id, Edit edit) {
    return letter(id).map(letter -> ContractCheck.check(draft(changed(letter, edit))));
  }

  // Key, partition and time stay: it takes the place of the original.
  private static Outgoing changed(DeadLetter letter, Edit edit) {
    var original = letter.original();
    var headers =
        edit.headers() == null
            ? original.headers()
            : edit.headers().stream()
                .map(header -> new KafkaHeader(header.name(), header.bytes()))
                .toList();
    return new Outgoing(
        original.topic(),
        original.key(),
        headers,
        edit.value() == null ? original.value() : edit.value().getBytes(StandardCharsets.UTF_8),
        original.at(),
        original.partition());
  }

  private static Draft draft(Outgoing record) {
    var headers = new LinkedHashMap<String, byte[]>();
    for (var header : record.headers()) {
      if (header.value() != null) headers.put(header.name(), header.value());
    }
    return new Draft(record.topic(), record.key(), headers, record.value());
  }

  // Published first: a crash in between means a second copy, which the readers of our topics tell
  // from the first by its key (G4); noted first it would mean none.
  private Response redrive(DeadLetter letter, Outgoing record, boolean again) {
    var before = redriven(List.of(letter)).get(name(letter));
    if (before != null && !again) return Answers.redrivenBefore(before);
    var published = asked(() -> publisher.publish(record));
    note(letter, clock.instant());
    return Response.accepted(
        Json.object()
            .put("redriven", id(letter))
            .put("topic", topic)
            .put("partition", published.partition())
            .put("offset", published.offset()));
  }

  // Who takes over looks behind the end that the topic had before.
  @Override
  public Optional<WayBack> wayBack(String id) {
    return letter(id)
        .map(letter ->
            new WayBack() {
              @Override
              public String mark() {
                return text(asked(() -> sent.ends(letter.original())));
              }

              @Override
              public Response go(String key) {
                return redrive(letter, letter.original(), false);
              }

              @Override
              public boolean hasGone(String mark) {
                if (redriven(List.of(letter)).containsKey(name(letter))) return true;
                var gone = asked(() -> sent.contains(letter.original(), places(mark)));
                if (gone) note(letter, clock.instant());
                return gone;
              }
            });
  }

  private void note(DeadLetter letter, Instant now) {
    try {
      redriven.note(topic, name(letter), now);
    } catch (RuntimeException silent) {
      log.warn("{} was redriven, and that is not noted: {}", id(letter), silent.getMessage());
    }
  }

  private static <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (KafkaException failed) {
      log.warn("{}", failed.getMessage());
      throw new Unavailable("Kafka does not answer", RETRY_AFTER, failed);
    }
  }

  private String id(DeadLetter letter) {
    return topic + ":" + letter.partition() + "-" + letter.offset();
  }

  // With its time: the offsets of a topic that was made anew begin again.
  private static String name(DeadLetter letter) {
    return "%d-%d@%d".formatted(letter.partition(), letter.offset(), letter.at().toEpochMilli());
  }

  private ObjectNode encode(DeadLetter letter, @Nullable Instant redrivenAt) {
    var tree = Json.object();
    tree.put("id", id(letter));
    tree.put("source", topic);
    tree.put("origin", topic);
    if (letter.originPartition() < 0) tree.putNull("origin_id");
    else tree.put("origin_id", letter.originPartition() + "-" + letter.originOffset());
    Text.put(tree, "key", letter.key());
    tree.put("attempts", letter.attempts());
    tree.put("reason", REASON);
    tree.put("message", letter.reason());
    tree.put("ts", letter.at().toEpochMilli());
    tree.put("size", letter.size());
    if (redrivenAt != null) tree.put("redriven_at", redrivenAt.toEpochMilli());
    return tree;
  }

  private ObjectNode whole(DeadLetter letter, @Nullable Instant redrivenAt) {
    var tree = encode(letter, redrivenAt);
    if (letter.originAt() != null) tree.put("origin_ts", letter.originAt().toEpochMilli());
    var headers = tree.putArray("headers");
    for (var header : letter.headers()) {
      Text.put(headers.addObject().put("name", header.name()), "value", header.value());
    }
    Text.putValue(tree, letter.value());
    if (!letter.stack().isEmpty()) tree.put("stack", letter.stack());
    tree.put("schema", ContractCheck.schema(topic, letter.value()));
    return tree.put("editable", !tree.has("cut"));
  }
}
