package io.tidemill.contract.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.strings;

import io.tidemill.contract.Decoded;
import io.tidemill.json.Json;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class PageCodecTest {
  private static final Path GOLDEN = Path.of("src/test/resources/contract/page");
  private static final Instant AT = Instant.parse("2026-01-04T01:09:27.123456Z");

  @ParameterizedTest
  @ValueSource(strings = {"page", "page-flow", "page-odd"})
  void readsPagesOfOthersAndWritesThemAsTheContractSays(String name)
      throws IOException { // C4.2, G7
    var page = message(PageCodec.decode(Files.readAllBytes(GOLDEN.resolve(name + ".in.json"))));

    assertThat(new String(PageCodec.encode(page), UTF_8))
        .isEqualTo(Files.readString(GOLDEN.resolve(name + ".out.json")).strip());
  }

  @Test
  void readsTheExampleOfTheContract() { // G7
    var contract = Json.parse(bytes("contracts/c4-crawler-queue.json"));

    var page = message(PageCodec.decode(Json.bytes(contract.get("example"))));

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.timestamp()).isEqualTo("2025-11-01T12:00:00Z");
  }

  @Test
  void writesEveryFieldAndNoOther() { // C4.2, G2
    var page = new PageMessage("https://example.org/", "a b", "A", "", AT, 200);

    assertThat(new String(PageCodec.encode(page), UTF_8))
        .isEqualTo(
            """
            {"url":"https://example.org/","text":"a b","metadata":{"title":"A","description":"",\
            "timestamp":"2026-01-04T01:09:27.123Z","status_code":200}}\
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "2025-11-01T12:00:00Z, 2025-11-01T12:00:00Z",
    "2025-11-01T12:00:00.5Z, 2025-11-01T12:00:00.500Z",
    "2025-11-01T12:00:00.123456789Z, 2025-11-01T12:00:00.123456789Z",
    "2025-11-01T14:30:00+02:30, 2025-11-01T12:00:00Z",
    "2025-11-01T14:00:00+0200, 2025-11-01T12:00:00Z",
    "2025-11-01T14:00:00+02, 2025-11-01T12:00:00Z",
    "2025-11-01T12:00Z, 2025-11-01T12:00:00Z",
    "2025-11-01t12:00:00z, 2025-11-01T12:00:00Z",
    "2025-11-01 12:00:00, 2025-11-01T12:00:00Z",
    "2025-11-01T12:00:00.25, 2025-11-01T12:00:00.250Z",
    "2025-11-01, 2025-11-01T00:00:00Z",
  })
  void readsTimesInAnyOffsetAndPrecision(String written, Instant meant) { // G2
    assertThat(message(decode(page("timestamp", written))).timestamp()).isEqualTo(meant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "1762000000",
        "2025-13-01T00:00:00Z",
        "+99999-01-01T00:00:00Z",
        "12:00:00Z",
        "2025-11-01T25:00:00Z",
        "2025-11-01T12:00:00+99:00"
      })
  void refusesWhatIsNoTime(String written) {
    assertThat(malformed(page("timestamp", written))).contains("ISO 8601");
  }

  @ParameterizedTest
  @ValueSource(strings = {"url", "text", "metadata"})
  void aPageWithoutAFieldIsMalformed(String missing) { // C4.2
    var page = page();
    page.remove(missing);

    assertThat(malformed(page)).contains(missing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"title", "timestamp", "status_code"})
  void aPageWithoutAFieldInItsMetadataIsMalformed(String missing) { // C4.2
    var page = page();
    ((ObjectNode) page.get("metadata")).remove(missing);

    assertThat(malformed(page)).contains("metadata." + missing);
  }

  @Test
  void htmlIsNoText() { // C4.2
    var page = page().put("html", "<p>x</p>");
    page.remove("text");

    assertThat(malformed(page)).isEqualTo("text is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"200\"", "200.5", "null", "true", "99999999999"})
  void refusesStatusCodesThatAreNoIntegers(String code) { // C4.2
    var page = page();
    ((ObjectNode) page.get("metadata")).set("status_code", Json.parse(code));

    assertThat(malformed(page)).contains("status_code");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "javascript:alert(1)",
        "example.org",
        "ftp://x/",
        "https:/x",
        "http://a\u0000"
      })
  void refusesWhatIsNoWebUrl(String url) {
    assertThat(malformed(page().put("url", url))).contains("url");
  }

  @Test
  void refusesUrlsThatNoStoreTakesAsAKey() {
    assertThat(malformed(page().put("url", "http://x/" + "a".repeat(PageCodec.MAX_URL))))
        .contains("longer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{}x", "nul", "<html>"})
  void callsBrokenJsonUnreadable(String body) { // G3
    assertThat(PageCodec.decode(body.getBytes(UTF_8))).isInstanceOf(Decoded.Unreadable.class);
    assertThat(PageCodec.decodeGone(body.getBytes(UTF_8))).isInstanceOf(Decoded.Unreadable.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "null", "\"x\"", "{}"})
  void callsOtherJsonMalformed(String body) { // G3
    assertThat(PageCodec.decode(body.getBytes(UTF_8))).isInstanceOf(Decoded.Malformed.class);
    assertThat(PageCodec.decodeGone(body.getBytes(UTF_8))).isInstanceOf(Decoded.Malformed.class);
  }

  @Test
  void callsBytesThatAreNotUtf8Unreadable() { // G3
    assertThat(PageCodec.decode(page().put("text", "\u00e4").toString().getBytes(ISO_8859_1)))
        .isInstanceOf(Decoded.Unreadable.class);
  }

  @Test
  void halvesOfSurrogatePairsBecomeReplacements() {
    var page =
        new PageMessage("http://x/\ud800", "a\udc00b\ud83d\ude00\ud83d", "\ud800", "", AT, 1);

    var read = message(PageCodec.decode(PageCodec.encode(page)));

    assertThat(read.text()).isEqualTo("a\ufffdb\ud83d\ude00\ufffd");
    assertThat(read.url()).isEqualTo("http://x/\ufffd");
    assertThat(read.title()).isEqualTo("\ufffd");
  }

  @Test
  void readsWhatItWrote() {
    qt().forAll(strings().allPossible().ofLengthBetween(0, 60), integers().all())
        .checkAssert((text, code) -> {
          var page =
              new PageMessage("http://x/", text, text, text, Instant.ofEpochMilli(code), code);
          var clean = PageCodec.wellFormed(text);
          assertThat(message(PageCodec.decode(PageCodec.encode(page))))
              .isEqualTo(
                  new PageMessage(
                      "http://x/", clean, clean, clean, Instant.ofEpochMilli(code), code));
          assertThat(clean).hasSameSizeAs(text);
        });
  }

  @Test
  void carriesNaughtyStrings() {
    for (var naughty : Corpora.naughtyStrings()) {
      var page = new PageMessage("http://x/", naughty, naughty, naughty, Instant.EPOCH, 200);
      assertThat(message(PageCodec.decode(PageCodec.encode(page))).text())
          .isEqualTo(PageCodec.wellFormed(naughty));
    }
  }

  @Test
  void readsWhatIsGone() {
    var gone = new PageGone("https://example.org/", Instant.ofEpochMilli(5), "410");

    assertThat(new String(PageCodec.encodeGone(gone), UTF_8))
        .isEqualTo(
            """
            {"url":"https://example.org/","timestamp":"1970-01-01T00:00:00.005Z","reason":"410"}\
            """);
    assertThat(message(PageCodec.decodeGone(PageCodec.encodeGone(gone)))).isEqualTo(gone);
    assertThat(
            message(
                    PageCodec.decodeGone(
                        "{\"url\":\"http://x/\",\"timestamp\":\"2025-11-01\"}".getBytes(UTF_8)))
                .reason())
        .isEmpty();
  }

  @Test
  void factsTravelInHeaders() {
    var published = Instant.parse("2026-01-04T01:09:27Z");
    var facts =
        new PageFacts(
            "crawl",
            "hash",
            "de",
            "text/html",
            published,
            "http://a.example/Page",
            new byte[] {1, 2});

    var read = PageFacts.of(facts.headers());

    assertThat(read).usingRecursiveComparison().isEqualTo(facts);
    assertThat(facts.headers())
        .hasSize(7)
        .containsEntry("tidemill-published", "2026-01-04T01:09:27.000Z"); // G2
    assertThat(new PageFacts("", "", "", "", null, "", new byte[0]).headers()).isEmpty();
  }

  @Test
  void oddHeadersSayNothing() {
    var odd = new HashMap<String, Object>();
    odd.put("tidemill-crawl", 5);
    odd.put("tidemill-hash", new byte[] {1});
    odd.put("tidemill-lang", "x".repeat(10_000));
    odd.put("tidemill-type", Map.of());
    odd.put("tidemill-published", "yesterday");
    odd.put("tidemill-url", "javascript:alert(1)");
    odd.put("tidemill-shape", "text");

    assertThat(PageFacts.of(odd).headers()).isEmpty();
  }

  private static ObjectNode page() {
    return page("timestamp", "2025-11-01T12:00:00Z");
  }

  private static ObjectNode page(String field, String value) {
    var page = Json.object().put("url", "http://x/").put("text", "t");
    page.putObject("metadata")
        .put("title", "T")
        .put("timestamp", "2025-11-01T12:00:00Z")
        .put("status_code", 200)
        .put(field, value);
    return page;
  }

  private static Decoded<PageMessage> decode(ObjectNode page) {
    return PageCodec.decode(Json.bytes(page));
  }

  private static String malformed(ObjectNode page) {
    var decoded = decode(page);
    assertThat(decoded).isInstanceOf(Decoded.Malformed.class);
    return ((Decoded.Malformed<PageMessage>) decoded).why();
  }

  private static <T> T message(Decoded<T> decoded) {
    assertThat(decoded).isInstanceOf(Decoded.Message.class);
    return ((Decoded.Message<T>) decoded).message();
  }

  private static byte[] bytes(String corpus) {
    try {
      return Files.readAllBytes(Corpora.find(corpus));
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }
}
