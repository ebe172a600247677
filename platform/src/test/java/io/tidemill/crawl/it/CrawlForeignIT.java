package io.tidemill.crawl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.tidemill.json.Json;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.TestSite;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Plain Kafka and AMQP clients on the other side of our crawler and our indexer (G1, C1, C4).
class CrawlForeignIT {
  private static final Map<String, String> THREE =
      Map.of("id", "ID", "email", "a@example.org", "createdAt", "2026-01-02T03:04:05.678Z");
  private static CrawlPlatform platform;
  private static PlainClients strangers;
  private TestSite site;

  @BeforeAll
  static void start() throws Exception {
    platform = CrawlPlatform.servers();
    platform.gateway();
    platform.crawler();
    strangers = new PlainClients(platform);
  }

  @AfterAll
  static void stop() {
    strangers.close();
    platform.close();
  }

  @BeforeEach
  void open() throws Exception {
    site = TestSite.start();
    strangers.amqp().queuePurge("crawler_queue");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static String url(String url) {
    return Json.text(Json.object().put("url", url));
  }

  private static JsonNode value(ConsumerRecord<byte[], byte[]> record) {
    return Json.parse(record.value());
  }

  private static List<String> headers(ConsumerRecord<byte[], byte[]> record) {
    var headers = new ArrayList<String>();
    for (var header : record.headers()) {
      headers.add(header.key() + "=" + HexFormat.of().formatHex(header.value()));
    }
    return headers;
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  @Test
  void anybodyCanReadOurPages() { // C4.1, C4.2, C4.5
    site.page(
        "/Page",
        "<title>The Title</title><meta name=description content='What It Is'>"
            + "<p>Some   TEXT\n with <b>Tags</b>.</p><script>no()</script>");

    platform.crawled(site.url("/Page#top"));
    var message = strangers.awaitMessage("crawler_queue");

    var page = Json.parse(message.getBody());
    assertThat(names(page)).containsExactly("url", "text", "metadata");
    assertThat(names(page.get("metadata")))
        .containsExactly("title", "description", "timestamp", "status_code");
    assertThat(page.get("url").stringValue()).isEqualTo(site.url("/page")); // C4.4
    assertThat(site.log("/Page")).as("fetched as it is written").hasSize(1);
    assertThat(page.get("text").stringValue()).contains("some text with tags.");
    assertThat(page.get("text").stringValue()).doesNotContain("no()").doesNotContain("  ");
    assertThat(page.at("/metadata/title").stringValue()).isEqualTo("The Title");
    assertThat(page.at("/metadata/description").stringValue()).isEqualTo("What It Is");
    assertThat(page.at("/metadata/timestamp").stringValue())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(page.at("/metadata/status_code").intValue()).isEqualTo(200);
    assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
    assertThat(message.getProps().getContentType()).isEqualTo("application/json");
  }

  @Test
  void aPageWithoutADescriptionSaysSo() { // C4.2: the field is always there
    site.page("/", "<title>t</title><p>text</p>");

    platform.crawled(site.url("/"));

    var page = Json.parse(strangers.awaitMessage("crawler_queue").getBody());
    assertThat(page.at("/metadata/description").stringValue()).isEmpty();
  }

  @Test
  void anybodyCanFeedOurIndexer() throws Exception { // C4.6
    var indexer = platform.indexer();
    try {
      var body =
          "{\"url\":\"http://foreign.example/1\",\"text\":\"a plain page about dredgers\","
              + "\"metadata\":{\"title\":\"Dredgers\",\"description\":\"\",\"timestamp\":"
              + "\"2026-01-01T00:00:00Z\",\"status_code\":200}}";
      var plain = new BasicProperties.Builder().build();
      strangers.amqp().basicPublish("", "crawler_queue", plain, "not JSON".getBytes(UTF_8));
      strangers.amqp().basicPublish("", "crawler_queue", plain, body.getBytes(UTF_8));

      var hit = platform.awaitFound("dredgers", 1).at("/hits/0");

      assertThat(hit.get("url").stringValue()).isEqualTo("http://foreign.example/1");
      assertThat(hit.get("title").stringValue()).isEqualTo("Dredgers");
      assertThat(strangers.awaitMessage("crawler_queue.dead").getBody())
          .asString(UTF_8)
          .isEqualTo("not JSON");
    } finally {
      platform.stop(indexer);
    }
  }

  @Test
  void anybodyCanBeTheGateway() throws Exception { // C1.1, C1.2
    site.page("/", "<title>Answer</title><p>forty-two</p>");

    var id = strangers.request(url(site.url("/")), THREE);
    var response = strangers.awaitRecords("crawl-responses", id).getFirst();

    var request = strangers.records("crawl-requests", id).getFirst();
    assertThat(response.key()).isEqualTo(request.key());
    assertThat(headers(response)).containsExactlyInAnyOrderElementsOf(headers(request));
    assertThat(value(response).get("success").booleanValue()).isTrue();
    assertThat(value(response).properties()).hasSize(2);
    assertThat(value(response).get("scrapedData").stringValue()).contains("forty-two");
  }

  @Test
  void theSameRequestTwiceGetsOneResponse() throws Exception { // F07
    site.page("/", "<title>Once</title>");
    site.page("/next", "<title>Next</title>");
    var id = strangers.request(url(site.url("/")), THREE);
    strangers.awaitRecords("crawl-responses", id);

    var twice = strangers.request(url(site.url("/")), with(THREE, "id", id));
    strangers.awaitRecords("crawl-responses", strangers.request(url(site.url("/next")), THREE));

    assertThat(strangers.records("crawl-responses", twice)).isEmpty();
    assertThat(strangers.records("crawl-responses", id)).hasSize(1);
    assertThat(site.log("/")).hasSize(1);
  }

  private static Map<String, String> with(Map<String, String> map, String key, String value) {
    var more = new java.util.HashMap<>(map);
    more.put(key, value);
    return more;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{", "[]", "{}", "{\"url\":7}", "{\"url\":\"ftp://x/\"}", "{\"url\":\"/x\"}"})
  void aBadRequestIsAnsweredWhenSomebodyWaitsForIt(String body) throws Exception { // C1.7
    var id = strangers.request(body, THREE);

    var response = strangers.awaitRecords("crawl-responses", id);

    assertThat(response).hasSize(1);
    assertThat(value(response.getFirst()).get("success").booleanValue()).isFalse();
    assertThat(value(response.getFirst()).get("errorMessage").stringValue()).isNotBlank();
  }

  @Test
  void aRequestThatNobodyWaitsForIsKeptAmongTheDead() throws Exception { // C1.7
    var nobody = strangers.request(url(site.url("/")), Map.of("createdAt", "now"));
    var noEmail = strangers.request(url(site.url("/")), Map.of("id", "ID"));

    for (var id : List.of(nobody, noEmail)) {
      var dead = strangers.awaitRecords("crawl-requests.dead", id).getFirst();
      assertThat(value(dead).get("url").stringValue()).isEqualTo(site.url("/"));
    }
    assertThat(strangers.records("crawl-responses", noEmail)).isEmpty();
    assertThat(site.connects()).isZero();
  }

  @Test
  void pagesThatAreGoneAreNoPages() { // C4: crawler_queue carries pages only
    platform.crawled(site.url("/missing"));
    site.page("/", "<title>here</title>");
    platform.crawled(site.url("/"));

    var first = Json.parse(strangers.awaitMessage("crawler_queue").getBody());
    assertThat(first.get("url").stringValue()).isEqualTo(site.url("/"));
    await()
        .until(() ->
            new String(strangers.awaitMessage("crawler_queue.gone").getBody(), UTF_8)
                .contains(site.url("/missing")));
  }
}
