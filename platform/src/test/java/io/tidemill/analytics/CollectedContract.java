package io.tidemill.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemill.analytics.CollectedItem.Keyword;
import io.tidemill.analytics.ProjectOverview.Totals;
import io.tidemill.analytics.ProjectStore.Interval;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.collected.WebItemId;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.sql.SqlDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was collected, whichever database keeps it (C5.6, C5.8, F44).
abstract class CollectedContract {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");
  private static final ProjectStore.Shape SHAPE = new ProjectStore.Shape(Interval.DAY, 10, 10);

  private static final AtomicInteger POSITIONS = new AtomicInteger();

  abstract AnalyticsConfig config();

  @TempDir Path folder;
  private Analytics analytics;
  private BatchStore store;
  private ProjectStore projects;

  @BeforeEach
  void open() {
    analytics = new Analytics(config(), folder, InstantSource.fixed(NOW));
    store = analytics.batches();
    projects = analytics.projects();
  }

  @AfterEach
  void close() {
    analytics.close();
  }

  private static CollectedBatch batch(String key, String etag, Instant at) {
    return new CollectedBatch(
        key, etag, "event", "evt_" + key, "p", "job", "tiktok", 1, "b", key + ".json", 3, at);
  }

  private static CollectedItem item(
      String id, String text, long fingerprint, @Nullable Double sentiment) {
    return new CollectedItem(
        "p",
        "tiktok",
        id,
        POSITIONS.incrementAndGet(),
        "https://t.example/" + id,
        "",
        text,
        new CollectedItem.Author("a", "Ann", 10, true),
        new CollectedItem.Reactions(1_000, 20, 3, 2, 1),
        new CollectedItem.Findings(
            id.startsWith("unknown") ? "" : sentiment == null ? "vi" : "en",
            sentiment,
            List.of(new Keyword("car", 1.0), new Keyword(id, 0.5)),
            10.0 + id.length(),
            fingerprint),
        NOW.minusSeconds(86_400));
  }

  private static CollectedItem item(String id) {
    return item(id, "text of " + id, 0, 0.5);
  }

  private void put(CollectedBatch batch, CollectedItem... items) {
    try (var writer = store.begin(batch)) {
      for (var item : items) writer.add(item);
      writer.commit();
    }
  }

  private ProjectOverview overview() {
    return projects.overview("p", ItemFilter.ALL, SHAPE).orElseThrow();
  }

  private List<StoredItem> items(ItemFilter filter) {
    return projects.items("p", filter, ItemOrder.IMPACT, 100, null).items();
  }

  @Test
  void everythingComesBackAsItWas() {
    var item = item("7441234567890123456", "Tab\t, line\n, \\ and \"quotes\" 😀", 42, -0.25);
    put(batch("k1", "e1", NOW), item);

    assertThat(items(ItemFilter.ALL)).containsExactly(new StoredItem(item, "job", null, NOW));
    assertThat(store.find("k1")).contains(new BatchStore.StoredBatch("e1", 1, 0, false));
    assertThat(store.find("k2")).isEmpty();
  }

  @Test
  void whatNoDatabaseHoldsIsReplaced() {
    put(batch("k1", "e1", NOW), item("a", "zero \0 and half \ud83d a pair", 0, null));

    assertThat(items(ItemFilter.ALL).getFirst().item().text())
        .isEqualTo("zero \uFFFD and half \uFFFD a pair");
  }

  @Test
  void theSameBatchAgainChangesNothing() { // C5.6
    put(batch("k1", "e1", NOW), item("a"), item("b"));
    var before = overview();

    try (var writer = store.begin(batch("k1", "e1", NOW))) {
      writer.add(item("c"));
      writer.fail(failure(0));
      assertThat(writer.commit()).isEmpty();
    }
    assertThat(overview()).isEqualTo(before);
    assertThat(overview().totals()).isEqualTo(new Totals(2, 1, 0));
  }

  @Test
  void aStormOfTheSameBatchIsStoredOnce() throws Exception { // F44
    try (var threads = Executors.newFixedThreadPool(6)) {
      var calls = new ArrayList<Callable<Boolean>>();
      for (var i = 0; i < 30; i++) {
        calls.add(() -> {
          try (var writer = store.begin(batch("k1", "e1", NOW))) {
            for (var n = 0; n < 20; n++) writer.add(item("i" + n));
            writer.fail(failure(20));
            return writer.commit().isPresent();
          }
        });
      }
      var stored = 0;
      for (var call : threads.invokeAll(calls)) if (call.get()) stored++;
      assertThat(stored).isEqualTo(1);
    }
    assertThat(overview().totals()).isEqualTo(new Totals(20, 1, 1));
  }

  @Test
  void anObjectThatWasReplacedReplacesItsBatch() { // F45
    try (var writer = store.begin(batch("k1", "e1", NOW))) {
      writer.add(item("a"));
      writer.add(item("b"));
      writer.fail(failure(2));
      writer.commit();
    }
    put(batch("k1", "e2", NOW), item("b", "new words", 0, 0.0), item("c"));

    assertThat(items(ItemFilter.ALL))
        .extracting(found -> found.item().id())
        .containsExactlyInAnyOrder("b", "c");
    assertThat(overview().totals()).isEqualTo(new Totals(2, 1, 0));
  }

  @Test
  void theNewestVersionOfAnItemStaysWhateverComesFirst() { // C5.6
    put(batch("new", "e", NOW), item("a", "new", 0, 0.0));
    put(batch("old", "e", NOW.minusSeconds(60)), item("a", "old", 0, 0.0), item("b"));

    assertThat(items(ItemFilter.ALL))
        .extracting(found -> found.item().text())
        .containsExactlyInAnyOrder("new", "text of b");
    assertThat(overview().totals()).isEqualTo(new Totals(2, 2, 0));
  }

  @Test
  void shuffledAndDoubledTheEndIsTheSame() { // F38, F44
    var batches = new ArrayList<Integer>();
    for (var copy = 0; copy < 3; copy++) for (var n = 0; n < 12; n++) batches.add(n);
    Collections.shuffle(batches, new Random(5));
    for (var n : batches) {
      put(
          batch("k" + n, "e", NOW.plusSeconds(n)),
          item("own" + n),
          item("shared" + n % 4, "version " + n, 0, 0.1));
    }

    assertThat(overview().totals()).isEqualTo(new Totals(16, 12, 0));
    assertThat(items(ItemFilter.ALL))
        .extracting(found -> found.item().text())
        .contains("version 8", "version 9", "version 10", "version 11")
        .doesNotContain("version 7");
  }

  @Test
  void anItemThatIsInItsBatchTwiceCountsOnce() {
    put(batch("k1", "e1", NOW), item("a"), item("a"));

    assertThat(overview().totals()).isEqualTo(new Totals(1, 1, 0));
  }

  @Test
  void whatIsNotCommittedIsNotThere() {
    try (var writer = store.begin(batch("k1", "e1", NOW))) {
      for (var n = 0; n < 2_000; n++) writer.add(item("i" + n));
    }
    assertThat(projects.overview("p", ItemFilter.ALL, SHAPE)).isEmpty();
    assertThat(store.find("k1")).isEmpty();
  }

  @Test
  void largeBatchesGoInPortions() {
    try (var writer = store.begin(batch("k1", "e1", NOW))) {
      for (var n = 0; n < 3_333; n++) writer.add(item("i" + n));
      for (var n = 0; n < 777; n++) writer.fail(failure(n));
      assertThat(writer.commit()).contains(new BatchStore.StoredBatch("e1", 3_333, 777, false));
    }
    assertThat(overview().totals()).isEqualTo(new Totals(3_333, 1, 777));
    assertThat(projects.failures("p", 10, 770)).hasSize(7);
  }

  @Test
  void nearDuplicatesNameTheirOriginal() {
    var one = 0x0123_4567_89AB_CDEFL;
    put(batch("k1", "e", NOW), item("a", "t", one, 0.0), item("b", "t", one ^ 0b101, 0.0));
    put(
        batch("k2", "e", NOW.plusSeconds(1)),
        item("c", "t", one ^ (1L << 40), 0.0),
        item("d", "t", ~one, 0.0));
    put(batch("k3", "e", NOW.plusSeconds(2)), item("a", "t", one, 0.0)); // itself, once more

    var copies = items(new ItemFilter(null, null, null, null, null, null, null, null, null, true));
    assertThat(copies).extracting(found -> found.item().id()).containsExactlyInAnyOrder("b", "c");
    assertThat(copies).extracting(StoredItem::duplicateOf).containsOnly("a");
    assertThat(overview().duplicates()).isEqualTo(2);
  }

  @Test
  void anOverviewCountsAndMeans() { // C5.8
    try (var writer = store.begin(batch("k1", "e", NOW))) {
      writer.add(item("good", "t", 0, 0.8));
      writer.add(item("bad", "t", 0, -0.4));
      writer.add(item("so", "t", 0, 0.0));
      writer.add(item("foreign", "t", 0, null));
      writer.fail(failure(4));
      writer.fail(failure(5));
      writer.commit();
    }
    var overview = overview();

    assertThat(overview.totals()).isEqualTo(new Totals(4, 1, 2));
    var counts = overview.platforms().getFirst().counts();
    assertThat(counts.items()).isEqualTo(4);
    assertThat(counts.sentiment()).isCloseTo(0.4 / 3, org.assertj.core.data.Offset.offset(1e-9));
    assertThat(List.of(counts.positive(), counts.neutral(), counts.negative()))
        .containsExactly(1L, 1L, 1L);
    assertThat(overview.languages())
        .extracting(ProjectOverview.Share::name)
        .containsExactly("en", "vi");
    assertThat(overview.times())
        .singleElement()
        .satisfies(slot -> assertThat(slot.at()).isEqualTo(Instant.parse("2026-01-03T00:00:00Z")));
    assertThat(overview.keywords().getFirst())
        .isEqualTo(new ProjectOverview.Word("car", 4, 1.0, counts.sentiment()));
    assertThat(overview.items()).extracting(found -> found.item().id()).startsWith("foreign");
    assertThat(overview.failures())
        .containsExactly(new ProjectOverview.FailureShare("CONTENT_REMOVED", "content", 2));
    assertThat(projects.list(10, ""))
        .singleElement()
        .satisfies(found -> assertThat(found.totals()).isEqualTo(new Totals(4, 1, 2)));
    assertThat(projects.list(10, "p")).isEmpty();
  }

  @Test
  void filtersLeaveOutWhatDoesNotFit() {
    put(
        batch("k1", "e", NOW),
        item("en1", "A 100% GOOD car_park", 0, 0.8),
        item("en2", "bad", 0, -0.4),
        item("vi1", "Xe đẹp", 0, null),
        item("unknown1", "Teraka afaka", 0, 0.3));

    assertThat(ids(filter("language", "vi"))).containsExactly("vi1");
    assertThat(ids(filter("language", "unknown"))).containsExactly("unknown1");
    assertThat(ids(filter("mood", "negative"))).containsExactly("en2");
    assertThat(ids(filter("mood", "unknown"))).containsExactly("vi1");
    assertThat(ids(filter("text", "100% good"))).containsExactly("en1");
    assertThat(ids(filter("text", "car_p"))).containsExactly("en1");
    assertThat(ids(filter("text", "r%p"))).isEmpty();
    assertThat(ids(filter("keyword", "en2"))).containsExactly("en2");
    assertThat(ids(filter("platform", "youtube"))).isEmpty();
    assertThat(ids(filter("platform", "tik' OR 'a'='a"))).isEmpty();
    assertThat(ids(filter("job", "job"))).hasSize(4);
    assertThat(
            projects.overview("p", filter("language", "vi"), SHAPE).orElseThrow().totals().items())
        .isEqualTo(1);
  }

  private List<String> ids(ItemFilter filter) {
    return items(filter).stream().map(found -> found.item().id()).toList();
  }

  private static ItemFilter filter(String name, String value) {
    return new ItemFilter(
        name.equals("platform") ? value : null,
        name.equals("language") ? value : null,
        name.equals("mood")
            ? SentimentClass.valueOf(value.toUpperCase(java.util.Locale.ROOT))
            : null,
        name.equals("job") ? value : null,
        name.equals("text") ? value : null,
        name.equals("keyword") ? value : null,
        null,
        null,
        null,
        null);
  }

  @Test
  void pagesHaveEachItemOnce() {
    put(
        batch("k1", "e", NOW),
        IntStream.range(0, 57).mapToObj(n -> item("i" + n)).toArray(CollectedItem[]::new));

    for (var order : ItemOrder.values()) {
      var seen = new ArrayList<String>();
      String next = null;
      do {
        var page = projects.items("p", ItemFilter.ALL, order, 10, next);
        page.items().forEach(found -> seen.add(found.item().id()));
        next = page.next();
      } while (next != null);
      assertThat(seen).as(order.wire()).hasSize(57).doesNotHaveDuplicates();
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> projects.items("p", ItemFilter.ALL, ItemOrder.VIEWS, 10, "nonsense"));
  }

  @Test
  void anOverviewMayBeWithoutItemsAndKeywords() {
    put(batch("k1", "e1", NOW), item("a"));
    var bare = new ProjectStore.Shape(Interval.MONTH, 0, 0);

    assertThat(projects.overview("p", ItemFilter.ALL, bare).orElseThrow().items()).isEmpty();
    assertThat(projects.isKnown("p")).isTrue();
    assertThat(projects.isKnown("q")).isFalse();
  }

  @Test
  void aStreamHasAllOfThem() {
    put(
        batch("k1", "e", NOW),
        IntStream.range(0, 2_500).mapToObj(n -> item("i" + n)).toArray(CollectedItem[]::new));

    var count = 0;
    try (var all = projects.stream("p", ItemFilter.ALL, ItemOrder.NEWEST)) {
      while (all.next() != null) count++;
    }
    assertThat(count).isEqualTo(2_500);
  }

  @Test
  void anAnnouncedBatchIsNotAnnouncedAgain() {
    put(batch("k1", "e1", NOW), item("a"));
    store.announced("k1");

    assertThat(store.find("k1").orElseThrow().announced()).isTrue();
  }

  private static ItemFailure failure(int position) {
    return new ItemFailure(
        "p", "tiktok", position, "f" + position, "", "CONTENT_REMOVED", "content", "gone");
  }

  @Test
  void longIdsOfPagesBecomeShortOnes() throws Exception { // C5.7
    var url = "https://example.com/";
    var old = "0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7";
    var foreign = "f".repeat(64);
    put(batch("a", "1", NOW), page(old, url), page(foreign, "https://example.com/other"));
    put(batch("b", "1", NOW), page(sha("https://b/"), "https://b/"));
    put(batch("c", "1", NOW), page(WebItemId.of("https://b/"), "https://b/")); // by a newer crawler
    analytics.close();
    forgetMigration();

    open();

    assertThat(items(ItemFilter.ALL))
        .extracting(found -> found.item().id())
        .containsExactlyInAnyOrder(WebItemId.of(url), foreign, WebItemId.of("https://b/"));
  }

  private static String sha(String text) {
    return Digest.sha256().add(text).hex();
  }

  private static CollectedItem page(String id, String url) {
    var item = item(id, "text", 0, 0.5);
    return new CollectedItem(
        item.projectId(),
        "web",
        id,
        item.position(),
        url,
        "",
        item.text(),
        item.author(),
        item.reactions(),
        item.findings(),
        item.publishedAt());
  }

  private void forgetMigration() throws SQLException {
    try (var database = SqlDatabase.of(config(), folder, Analytics.MIGRATIONS);
        var connection = database.connect()) {
      var sql = "DELETE FROM schema_versions WHERE name LIKE 'V4%'";
      database.update(connection, sql, List.of());
      connection.commit();
    }
  }
}
