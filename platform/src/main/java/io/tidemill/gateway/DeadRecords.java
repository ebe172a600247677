package io.tidemill.gateway;

import io.tidemill.broker.kafka.DeadLetter;
import io.tidemill.broker.kafka.DeadTopics;
import io.tidemill.broker.kafka.KafkaException;
import io.tidemill.broker.kafka.Publisher;
import io.tidemill.contract.Json;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problem;
import io.tidemill.http.Response;
import io.tidemill.http.Stored;
import io.tidemill.http.Unavailable;
import io.tidemill.store.redis.Redriven;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
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
  private final Redriven redriven;
  private final InstantSource clock;

  DeadRecords(
      String topic,
      DeadTopics letters,
      Publisher publisher,
      Redriven redriven,
      InstantSource clock) {
    this.topic = topic;
    this.letters = letters;
    this.publisher = publisher;
    this.redriven = redriven;
    this.clock = clock;
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

  // Notes of letters that are gone stay behind, so the difference alone could hide new letters.
  @Override
  public long waiting() {
    var all = asked(() -> letters.count(topic));
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
  public Optional<Response> redrive(String id, boolean again) {
    return letter(id).map(letter -> redrive(letter, again));
  }

  // Published first: a crash in between means a second copy, which the readers of our topics tell
  // from the first by its key (G4); noted first it would mean none.
  private Response redrive(DeadLetter letter, boolean again) {
    var before = redriven(List.of(letter)).get(name(letter));
    if (before != null && !again) {
      return Response.problem(
          Problem.of(409, "it was redriven at " + before + "; again=true does it once more")
              .with("redriven_at", before.toEpochMilli()));
    }
    var published = asked(() -> publisher.publish(letter.original()));
    var now = clock.instant();
    note(letter, now);
    return Response.accepted(
        Json.object()
            .put("redriven", id(letter))
            .put("topic", topic)
            .put("partition", published.partition())
            .put("offset", published.offset()));
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
    put(tree, "key", letter.key());
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
      put(headers.addObject().put("name", header.name()), "value", header.value());
    }
    put(tree, "value", letter.value());
    if (!letter.stack().isEmpty()) tree.put("stack", letter.stack());
    return tree;
  }

  // As text where it is one, else as `…_base64`.
  private static void put(ObjectNode tree, String name, byte @Nullable [] bytes) {
    if (bytes == null) {
      tree.putNull(name);
      return;
    }
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      tree.put(name, text);
    } catch (CharacterCodingException notText) {
      tree.put(name + "_base64", Base64.getEncoder().encodeToString(bytes));
    }
  }
}
