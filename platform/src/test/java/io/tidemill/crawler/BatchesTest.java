package io.tidemill.crawler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.contract.Json;
import io.tidemill.contract.collected.CollectedEvent;
import io.tidemill.contract.collected.ObjectPath;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Batches first, events after them (C5.7).
class BatchesTest {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27.123Z");
  private static final Batches.Origin ORIGIN = new Batches.Origin("shop", "c-1");

  private final List<String> journal = new ArrayList<>();
  private final TreeMap<String, String> objects = new TreeMap<>();
  private final List<CollectedEvent> events = new ArrayList<>();
  private boolean brokerIsDown;

  @Test
  void cutsTheCrawlIntoBatchesAndTellsOfEachAfterItIsStored() {
    var batches = batches(0);
    for (int i = 0; i < 5; i++) batches.add(item(i));

    assertThat(batches.flush()).isEqualTo(3);
    assertThat(batches.flush()).isEqualTo(3); // nothing is left

    assertThat(journal).containsExactly("put 0", "event 0", "put 1", "event 1", "put 2", "event 2");
    assertThat(objects)
        .containsOnlyKeys(
            "crawl-results/web/shop/c-1/batch_000.json",
            "crawl-results/web/shop/c-1/batch_001.json",
            "crawl-results/web/shop/c-1/batch_002.json");
    assertThat(events)
        .extracting(CollectedEvent::minioPath)
        .containsExactlyElementsOf(objects.keySet());
    assertThat(events).extracting(CollectedEvent::contentCount).containsExactly(2, 2, 1);
    assertThat(events.getFirst().projectId()).isEqualTo("shop");
    assertThat(events.getFirst().jobId()).isEqualTo("c-1");
    assertThat(events.getFirst().platform()).isEqualTo("web");
  }

  @Test
  void theSamePagesAgainWriteOverWhatIsThere() {
    var before = batches(0);
    for (int i = 0; i < 3; i++) before.add(item(i)); // killed here: batch 1 is not confirmed
    var after = batches(1);
    after.add(item(2));
    after.flush();
    var first = List.copyOf(events);
    var stored = new TreeMap<>(objects);

    var again = batches(0);
    for (int i = 0; i < 3; i++) again.add(item(i));
    again.flush();

    assertThat(objects).isEqualTo(stored);
    assertThat(events.subList(2, 4)).isEqualTo(first);
  }

  @Test
  void aBatchWhoseEventFailedIsHandedOnAgain() {
    var batches = batches(0);
    batches.add(item(0));
    brokerIsDown = true;
    assertThatThrownBy(() -> batches.add(item(1))).hasMessage("down");
    brokerIsDown = false;

    assertThat(batches.flush()).isEqualTo(1);

    assertThat(journal).containsExactly("put 0", "put 0", "event 0");
    assertThat(events.getFirst().contentCount()).isEqualTo(2);
  }

  @Test
  void anItemHasTheShapeThatReadersKnow() {
    var batches = batches(0);
    batches.add(item(0));
    batches.flush();

    var item = Json.parse(objects.firstEntry().getValue()).get(0);
    assertThat(item.at("/meta/id").stringValue()).isEqualTo("id-0");
    assertThat(item.at("/meta/permalink").stringValue()).isEqualTo("http://example.org/0");
    assertThat(item.at("/meta/fetch_status").stringValue()).isEqualTo("success");
    assertThat(item.at("/meta/published_at").isNull()).isTrue();
    assertThat(item.at("/meta/fetched_at").stringValue()).isEqualTo("2026-01-04T01:09:27.123Z");
    assertThat(item.at("/content/text").stringValue()).isEqualTo("Grüße");
    assertThat(item.at("/content/language").stringValue()).isEqualTo("de");
    assertThat(item.at("/author/name").stringValue()).isEqualTo("example.org");
  }

  @Test
  void noNameLeadsOutOfTheFolder() {
    for (var name : List.of("..", ".", "../../etc", "a/b", "a\u0000b", "a b?#")) {
      var event = Batches.event(new Batches.Origin(name, name), 0, 1, NOW);

      assertThat(ObjectPath.of(event.minioPath()).path().split("/")).hasSize(4);
      assertThat(event.projectId()).isEqualTo(name);
    }
  }

  private Batches batches(int firstIndex) {
    return new Batches(
        ORIGIN,
        2,
        firstIndex,
        (bucket, key, json) -> {
          journal.add("put " + Integer.parseInt(key.replaceAll(".*_(\\d+)\\.json", "$1")));
          objects.put(bucket + "/" + key, new String(json, UTF_8));
        },
        event -> {
          if (brokerIsDown) throw new IllegalStateException("down");
          journal.add("event " + event.batchIndex());
          events.add(event);
        },
        InstantSource.fixed(NOW));
  }

  private static Batches.Item item(int i) {
    return new Batches.Item(
        "id-" + i, "http://example.org/" + i, "example.org", "T", "Grüße", "de", null, NOW);
  }
}
