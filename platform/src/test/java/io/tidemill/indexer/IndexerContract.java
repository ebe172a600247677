package io.tidemill.indexer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.config.ByteSize;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageFacts;
import io.tidemill.contract.page.PageGone;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.page.PageText;
import io.tidemill.contract.page.PageText.Span;
import io.tidemill.json.Json;
import io.tidemill.lucene.SearchException;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import io.tidemill.search.PageIndex;
import io.tidemill.support.AmqpBroker;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.FileIndex;
import io.tidemill.support.ForeignProgram;
import io.tidemill.support.IndexerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pages from the queue to the index, whichever broker carries them (C4).
abstract class IndexerContract {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27.123Z");

  abstract AmqpBroker broker();

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final FakeIndex index = new FakeIndex();
  private ForeignProgram stranger;
  private AmqpPublisher publisher;
  private @Nullable PageIndexer indexer;

  /// Keeps what it is given, and refuses what it is told to.
  private static final class FakeIndex implements PageIndex {
    final List<PageChange> changes = new CopyOnWriteArrayList<>();
    volatile boolean down;
    volatile Set<String> refused = Set.of();

    @Override
    public void apply(List<PageChange> batch) {
      if (down) throw new SearchException("the disk is full", new IOException());
      if (batch.stream().anyMatch(change -> refused.contains(change.url()))) {
        throw new SearchException("immense term", new IllegalArgumentException());
      }
      changes.addAll(batch);
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void connect() throws Exception {
    stranger = new ForeignProgram(broker().port());
    for (var queue : List.of(PageNames.QUEUE, PageNames.GONE, PageNames.DEAD))
      stranger.queue(queue);
    publisher = new AmqpPublisher(broker().config(), metrics);
  }

  @AfterEach
  void disconnect() {
    if (indexer != null) indexer.stop();
    publisher.close();
    stranger.close();
  }

  @Test
  void strangersSeeExactlyTheContract() throws Exception { // C4.1, C4.2
    publisher.publish(ours("https://example.org/", "The Title\nof NASA", List.of()));

    var seen = stranger.drain(PageNames.QUEUE).getFirst();

    var body = Json.parse(seen.getBody());
    assertThat(body.propertyNames()).containsExactly("url", "text", "metadata");
    assertThat(body.get("text").stringValue()).isEqualTo("the title of nasa");
    assertThat(body.get("metadata").propertyNames())
        .containsExactly("title", "description", "timestamp", "status_code");
    assertThat(body.get("metadata").get("timestamp").stringValue())
        .isEqualTo("2026-01-04T01:09:27.123Z");
    assertThat(seen.getProperties().getDeliveryMode()).isEqualTo(2);
    assertThat(seen.getEnvelope().getExchange()).isEmpty();
  }

  @Test
  void indexesPagesOfStrangers() throws Exception { // C4.2
    start();
    stranger.publish(
        PageNames.QUEUE,
        """
        {"url": "https://example.com/page1", "text": "this is the main text", "extra": 1,
         "metadata": {"title": "Example Page", "timestamp": "2025-11-01T12:00:00Z",
                      "status_code": 200}}
        """);

    var page = awaitPage("https://example.com/page1");

    assertThat(page)
        .isEqualTo(
            new PageDocument(
                "https://example.com/page1",
                "Example Page",
                "",
                "this is the main text",
                "",
                "",
                "",
                200,
                Instant.parse("2025-11-01T12:00:00Z"),
                null,
                "",
                "08792e08e814c2bcdb998349bb0a5abca7d1bbbcfb42821ce6006321e752cd9c",
                ""));
    awaitSettled();
  }

  @Test
  void restoresWhatOurOwnCrawlerKnows() throws Exception { // C4.5
    var text = "Home\nThe Title\nAbout NASA.\nImprint";
    start();

    publisher.publish(ours("https://example.org/", text, List.of(new Span(5, 27))));

    var page = awaitPage("https://example.org/");
    assertThat(page.main()).isEqualTo("The Title\nAbout NASA.");
    assertThat(page.rest()).isEqualTo("Home\nImprint");
    assertThat(page.language()).isEqualTo("en");
    assertThat(page.type()).isEqualTo("text/html");
    assertThat(page.crawlId()).isEqualTo("crawl-1");
    assertThat(page.contentHash()).isEqualTo("abc");
    assertThat(page.publishedAt()).isEqualTo(Instant.EPOCH);
    assertThat(page.messageId()).isEqualTo("message-1");
  }

  @Test
  void aClockThatRunsAheadDoesNotShutOutLaterVersions() throws Exception { // F38
    start();
    stranger.publish(PageNames.QUEUE, page("https://example.org/", "2999-01-01T00:00:00Z"));

    assertThat(awaitPage("https://example.org/").fetchedAt()).isEqualTo(NOW);
  }

  @Test
  void removesWhatIsGone() throws Exception {
    start();
    var gone = new PageGone("https://example.org/", NOW.minusSeconds(5), "410");

    publisher.publish(
        new OutgoingMessage(
            "", PageNames.GONE, PageCodec.encodeGone(gone), Map.of(), null, null, null));

    await()
        .until(() ->
            index.changes.contains(
                new PageChange.Remove("https://example.org/", NOW.minusSeconds(5))));
    awaitSettled();
  }

  @Test
  void aPageWithoutTextIsNoPageAndRemovesItsOlderVersion() throws Exception { // C4.6
    start();
    stranger.publish(PageNames.QUEUE, page("https://x.org/", "2025-11-01T12:00:00Z"));
    awaitPage("https://x.org/");

    for (var text : List.of("", " \\n")) stranger.publish(PageNames.QUEUE, empty(text, ""));
    stranger.publish(PageNames.QUEUE, empty("", "A title alone"));

    await().until(() -> index.changes.size() == 4);
    awaitSettled();
    var gone = new PageChange.Remove("https://x.org/", Instant.parse("2025-11-02T12:00:00Z"));
    assertThat(index.changes.subList(1, 3)).containsExactly(gone, gone);
    assertThat(index.changes.getLast()).isInstanceOf(PageChange.Put.class);
    assertThat(stranger.depth(PageNames.DEAD)).isZero();
  }

  private static String empty(String text, String title) {
    return """
    {"url":"https://x.org/","text":"%s",
     "metadata":{"title":"%s","timestamp":"2025-11-02T12:00:00Z","status_code":200}}\
    """
        .formatted(text, title);
  }

  @Test
  void whatIsNoPageGoesToTheDeadLettersAtOnce() throws Exception { // C4.6, G3
    start();
    stranger.publish(PageNames.QUEUE, "not json");
    stranger.publish(PageNames.QUEUE, "{\"url\":\"http://x/\",\"html\":\"<p>\"}");
    stranger.publish(PageNames.GONE, "[]");
    stranger.publish(PageNames.QUEUE, page("https://example.org/good", "2025-11-01T12:00:00Z"));

    await().until(() -> stranger.depth(PageNames.DEAD) == 3);
    awaitPage("https://example.org/good");
    awaitSettled();
    var letters = stranger.drain(PageNames.DEAD);
    assertThat(letters)
        .extracting(letter -> new String(letter.getBody(), UTF_8))
        .containsExactlyInAnyOrder("not json", "{\"url\":\"http://x/\",\"html\":\"<p>\"}", "[]");
    assertThat(letters)
        .extracting(
            letter -> String.valueOf(letter.getProperties().getHeaders().get("tidemill-origin")))
        .containsExactlyInAnyOrder(PageNames.QUEUE, PageNames.QUEUE, PageNames.GONE);
  }

  @Test
  void pagesStayInTheQueueWhileTheIndexIsDown() throws Exception { // C4.6, F39
    index.down = true;
    start();
    for (int i = 0; i < 200; i++) stranger.publish(PageNames.QUEUE, page("https://x.org/" + i));
    var indexing = indexer();
    await()
        .untilAsserted(
            () -> assertThatThrownBy(indexing::check).hasMessageContaining("the disk is full"));
    assertThat(index.changes).isEmpty();

    index.down = false;

    await().until(() -> index.changes.size() >= 200);
    awaitSettled();
    assertThat(stranger.depth(PageNames.DEAD)).isZero();
    await().until(indexing::isHealthy);
  }

  @Test
  void aPageThatTheIndexNeverTakesEndsAmongTheDead() throws Exception { // C4.6, F39
    index.refused = Set.of("https://x.org/77");
    start();
    for (int i = 0; i < 200; i++) stranger.publish(PageNames.QUEUE, page("https://x.org/" + i));

    await().until(() -> index.changes.size() == 199);
    // Others keep coming, and get through.
    await()
        .until(() -> {
          stranger.publish(PageNames.QUEUE, page("https://x.org/more"));
          return stranger.depth(PageNames.DEAD) == 1;
        });
    assertThat(stranger.bodies(PageNames.DEAD).getFirst()).contains("https://x.org/77");
    awaitSettled();
  }

  @Test
  void anIndexerThatDiesBetweenIndexAndBrokerLosesNothing(@TempDir Path dir)
      throws Exception { // F37, G4
    var file = dir.resolve("index");
    for (int i = 0; i < 300; i++) stranger.publish(PageNames.QUEUE, page("https://x.org/" + i));
    stranger.confirm();
    try (var child =
        new ChildJvm(
            IndexerMain.class, broker().config().url(), file.toString(), String.valueOf(120))) {
      child.awaitReady();
      await().until(() -> Files.exists(dir.resolve("stuck")));
      child.kill();
    }
    var before = Files.readAllLines(file).size();

    start(new FileIndex(file, Long.MAX_VALUE));
    await().until(() -> new HashSet<>(Files.readAllLines(file)).size() == 300);

    awaitSettled();
    // What was in the index and not acknowledged came again, and no more than that.
    assertThat(before).isBetween(120, 299);
    assertThat(Files.readAllLines(file)).hasSizeBetween(301, 300 + before);
  }

  private void start() {
    start(index);
  }

  private void start(PageIndex into) {
    indexer =
        new PageIndexer(
            new IndexerConfig(
                100, Duration.ofMillis(200), ByteSize.ofMib(32), 3, Duration.ofMinutes(5)),
            broker().config(),
            into,
            publisher,
            new Traces(ObserveConfig.standard()),
            InstantSource.fixed(NOW),
            metrics);
    indexer.start();
  }

  private PageIndexer indexer() {
    return requireNonNull(indexer);
  }

  private PageDocument awaitPage(String url) {
    return await()
        .until(
            () ->
                index.changes.stream()
                    .filter(change -> change.url().equals(url))
                    .map(change -> ((PageChange.Put) change).page())
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private void awaitSettled() {
    await()
        .until(() ->
            stranger.depth(PageNames.QUEUE) == 0
                && stranger.depth(PageNames.GONE) == 0
                && metrics.get("amqp.consumer.unsettled").gauges().stream()
                    .allMatch(gauge -> gauge.value() == 0));
  }

  private static OutgoingMessage ours(String url, String readable, List<Span> main) {
    var text = new PageText(readable, main);
    var page = new PageMessage(url, text.normalised(), "T", "", NOW, 200);
    var facts = new PageFacts("crawl-1", "abc", "en", "text/html", Instant.EPOCH, "", text.shape());
    return new OutgoingMessage(
        "",
        PageNames.QUEUE,
        PageCodec.encode(page),
        facts.headers(),
        "message-1",
        PageNames.CONTENT_TYPE,
        NOW);
  }

  private static String page(String url) {
    return page(url, "2025-11-01T12:00:00Z");
  }

  private static String page(String url, String timestamp) {
    return """
    {"url":"%s","text":"t","metadata":{"title":"T","timestamp":"%s","status_code":200}}\
    """
        .formatted(url, timestamp);
  }
}
