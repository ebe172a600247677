package io.tidemill.contract.collected;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.strings;

import io.tidemill.contract.Decoded;
import io.tidemill.json.Json;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class CollectedCodecTest {
  private static final Path GOLDEN = Path.of("src/test/resources/contract/collected");
  private static final CollectedEvent EVENT =
      new CollectedEvent(
          "evt_abc123",
          Instant.parse("2025-12-06T10:15:30Z"),
          "proj_xyz",
          "proj_xyz-brand-0",
          "tiktok",
          "crawl-results/tiktok/proj_xyz/brand/batch_001.json",
          50,
          1);

  @Test
  void writesTheEventExactlyAsTheContractShowsIt() throws IOException { // C5.2
    assertThat(new String(CollectedCodec.encode(EVENT), UTF_8))
        .isEqualTo(Files.readString(GOLDEN.resolve("ours.json")).strip());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ours.json", "aliases.json"})
  void readsEveryRealMessage(String file) throws IOException { // C5.2
    assertThat(CollectedCodec.decode(Files.readAllBytes(GOLDEN.resolve(file))))
        .isEqualTo(new Decoded.Message<>(EVENT));
  }

  @Test
  void readsTheEventOfTheProgramThatTheContractComesFrom() throws IOException { // G7
    var corpus = Json.parse(Files.readAllBytes(Corpora.find("contracts/c5-data-collected.json")));

    assertThat(CollectedCodec.decode(Json.bytes(corpus.get("events").get(0).get("body"))))
        .isEqualTo(new Decoded.Message<>(EVENT));
  }

  @Test
  void aProjectMayBeMissingAndANumberMayBeAnId() {
    var tree = tree();
    payload(tree).putNull("project_id").put("job_id", 7441234567890123456L);

    assertThat(CollectedCodec.decode(Json.bytes(tree)))
        .isInstanceOfSatisfying(
            Decoded.Message.class,
            found -> {
              var event = (CollectedEvent) found.message();
              assertThat(event.projectId()).isNull();
              assertThat(event.jobId()).isEqualTo("7441234567890123456");
            });
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "event_id, -",
        "event_id, ' '",
        "event_type, data.deleted",
        "timestamp, -",
        "timestamp, yesterday",
      })
  void aFieldThatIsMissingOrWrongIsNamed(String field, String value) {
    var tree = tree().put(field, value);
    if (value == null) tree.remove(field);

    assertMalformed(tree, field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"job_id", "platform", "minio_path", "batch_index"})
  void everyFieldOfThePayloadIsRequired(String field) {
    var tree = tree();
    payload(tree).remove(field);

    assertMalformed(tree, field);
  }

  @Test
  void countsAreWholeNumbers() {
    var tree = tree();
    payload(tree).put("content_count", -1);
    assertMalformed(tree, "content_count");
    payload(tree).put("content_count", "50");
    assertMalformed(tree, "content_count");
  }

  @Test
  void whatIsNotJsonIsUnreadable() {
    assertThat(CollectedCodec.decode("{\"event_id\":".getBytes(UTF_8)))
        .isInstanceOf(Decoded.Unreadable.class);
    assertThat(CollectedCodec.decode("[1]".getBytes(UTF_8))).isInstanceOf(Decoded.Malformed.class);
  }

  @Test
  void everythingComesBackAsItWasWritten() {
    qt().forAll(
            strings().allPossible().ofLengthBetween(1, 20).assuming(text -> !text.isBlank()),
            strings().basicLatinAlphabet().ofLengthBetween(1, 20).assuming(t -> !t.isBlank()))
        .checkAssert((id, job) -> {
          var event =
              new CollectedEvent(
                  id, Instant.EPOCH.plusMillis(1), null, job, "web", "bucket/a/b.json", 0, 0);
          assertThat(CollectedCodec.decode(CollectedCodec.encode(event)))
              .isEqualTo(new Decoded.Message<>(event));
        });
  }

  @ParameterizedTest
  @CsvSource({
    "crawl-results/tiktok/p/batch_000.json, crawl-results, tiktok/p/batch_000.json",
    "/crawl-results/a.json, crawl-results, a.json",
    "minio://crawl-results/a.json, crawl-results, a.json",
    "batch_000.json, '', batch_000.json",
  })
  void aPathIsSplitAtItsFirstSlash(String text, String bucket, String path) { // C5.3
    assertThat(ObjectPath.of(text)).isEqualTo(new ObjectPath(bucket, path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "b/", "b/../x", "../x", "b//etc/x", "b/a\u0000", "b\\..\\x", "minio://"})
  void aPathThatLeadsElsewhereIsRefused(String text) { // C5.3
    assertThatIllegalArgumentException().isThrownBy(() -> ObjectPath.of(text));
  }

  @Test
  void ourBatchesHaveTheirPlace() { // C5.7
    assertThat(CollectedNames.batch("shop", "c-1", 7)).isEqualTo("web/shop/c-1/batch_007.json");
    assertThat(CollectedNames.batch("shop", "c-1", 1234)).endsWith("batch_1234.json");
  }

  private static void assertMalformed(ObjectNode tree, String field) {
    assertThat(CollectedCodec.decode(Json.bytes(tree)))
        .isInstanceOfSatisfying(
            Decoded.Malformed.class, found -> assertThat(found.why()).startsWith(field));
  }

  private static ObjectNode tree() {
    return (ObjectNode) Json.parse(CollectedCodec.encode(EVENT));
  }

  private static ObjectNode payload(ObjectNode tree) {
    return (ObjectNode) tree.get("payload");
  }

  @Test
  void aProjectMustBeNamedOrSaidToBeNone() { // C5.2
    var tree = tree();
    payload(tree).remove("project_id");

    assertMalformed(tree, "project_id");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"data_ref\":{\"bucket\":\"raw-data\",\"path\":\"test.json\"}}|legacy",
        "{\"data_ref\":{\"bucket\":\"b\",\"path\":\"/a/b.json\"},\"payload\":{}}|legacy",
        "{\"meta\":{\"id\":\"1\"},\"content\":{\"text\":\"t\"}}|inline",
        "[{\"id\":1,\"text\":\"t\"}]|inline",
      })
  void formatsAreToldApart(String body, String format) { // C5.5
    assertThat(CollectedCodec.read(body.getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            Decoded.Message.class,
            found -> assertThat(((Collected) found.message()).format()).isEqualTo(format));
  }

  @Test
  void namesAreShortEnoughToBeKeys() {
    var tree = tree();
    payload(tree).put("project_id", "p".repeat(256));
    assertMalformed(tree, "project_id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2025-12-06 10:15:30+00:00", "2025-12-06 10:15:30", "2025-12-06T12:15:30+02:00"})
  void timesAreReadAsTheyAreWritten(String text) { // G2
    assertThat(CollectedTime.read("timestamp", text))
        .isEqualTo(Instant.parse("2025-12-06T10:15:30Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-999999999-01-01T00:00:00Z", "+290000-01-01T00:00:00Z", "soon"})
  void timesThatNobodyCanKeepAreNone(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> CollectedTime.read("timestamp", text));
  }

  @Test
  void theEventWinsOverEveryOtherFormat() { // C5.5
    var tree = tree();
    tree.putObject("data_ref").put("bucket", "b").put("path", "p");
    tree.put("text", "a post?");

    assertThat(CollectedCodec.read(Json.bytes(tree)))
        .isEqualTo(new Decoded.Message<>(new Collected.Event(EVENT)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|must be there",
        "[]|the message has no posts",
        "[7]|a post must be a JSON object",
        "42|a post must be a JSON object",
        "null|a post must be a JSON object",
        "{\"payload\":{\"minio_path\":\"\"}}|event_id",
        "{\"payload\":{}}|event_id",
        "{\"payload\":7}|payload must be",
        "{\"data_ref\":{\"bucket\":\"b\"}}|path must be",
        "{\"data_ref\":{\"path\":\"p\"}}|bucket must be",
        "{\"data_ref\":null}|data_ref must be",
        "{\"data_ref\":{\"bucket\":\"b/c\",\"path\":\"p\"}}|bucket must be",
        "{\"data_ref\":{\"bucket\":\"b\",\"path\":\"../p\"}}|not a path",
        "{\"data_ref\":{\"bucket\":\"arn:aws:s3:x\",\"path\":\"p\"}}|name of a bucket",
      })
  void whatFitsNoFormatIsMalformed(String body, String why) { // F46
    assertThat(CollectedCodec.read(body.getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            Decoded.Malformed.class, found -> assertThat(found.why()).contains(why));
  }

  @Test
  void everyRealMessageIsReadAsWhatItIs() throws IOException { // C5.5, G7
    var corpus = Json.parse(Files.readAllBytes(Corpora.find("contracts/c5-data-collected.json")));
    var formats = new java.util.ArrayList<String>();
    for (var event : corpus.get("events")) {
      var read = CollectedCodec.read(Json.bytes(event.get("body")));
      formats.add(((Collected) ((Decoded.Message<?>) read).message()).format());
    }

    assertThat(formats).containsExactly("event", "legacy", "legacy", "inline");
  }

  @Test
  void anyBytesHaveAnAnswer() { // F46
    var random = new java.util.Random(3);
    var seed = Json.bytes(tree());
    for (var run = 0; run < 5_000; run++) {
      var bytes = seed.clone();
      for (var change = random.nextInt(5); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      assertThat(CollectedCodec.read(bytes)).isNotNull();
    }
  }

  @Test
  void idsOfPagesFitIntoFiftyCharacters() { // C5.7
    var url = "https://example.com/" + "a".repeat(2_000);
    var old = "7c7ae9c11f7a0f6a2f3a4a8ed3e40a6a7d1b1f1a6b2d3a1a7d4d4b7f9a1c2e3f";

    assertThat(WebItemId.of(url)).hasSize(32).isEqualTo(WebItemId.of(url));
    assertThat(WebItemId.of("https://example.com/")).isEqualTo("0f115db062b7c0dd030b16878c99dea5");
    // The form of 0.1.0 names the same page; another program's id is its own affair.
    assertThat(
            WebItemId.current(
                "0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7",
                "https://example.com/"))
        .isEqualTo("0f115db062b7c0dd030b16878c99dea5");
    assertThat(WebItemId.current(old, "https://example.com/")).isEqualTo(old);
    assertThat(WebItemId.current("7", "https://example.com/")).isEqualTo("7");
  }

  @Test
  void theUuidOfAProjectIsTheOneThatOthersMake() { // C5.7
    // python3 -c 'import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, "web"))'
    assertThat(ProjectId.of("web")).isEqualTo("0dd2964a-6550-55d4-8f62-19b72c5eef9f");
    assertThat(ProjectId.of("11111111-1111-1111-1111-111111111111"))
        .isEqualTo("11111111-1111-1111-1111-111111111111");
    assertThat(ProjectId.name(ProjectId.of("shop"), "shop")).isEqualTo("shop");
    assertThat(ProjectId.name(ProjectId.of("web"), null)).isEqualTo("web");
    assertThat(ProjectId.name(ProjectId.of("shop"), "web")).isEqualTo(ProjectId.of("shop"));
    assertThat(ProjectId.name("proj_xyz", "web")).isEqualTo("proj_xyz");
    assertThat(ProjectId.name(null, "web")).isNull();
  }

  @Test
  void aListOfItemsIsReadAsItsItems() { // C5.7
    var posts = "[{\"id\":\"1\",\"text\":\"a\"},{\"id\":\"2\",\"text\":\"b\"}]";
    for (var list :
        new String[] {"{\"items\":%s}", "{\"id\":\"b-7\",\"meta\":{\"total\":2},\"items\":%s}"}) {
      assertThat(CollectedCodec.read(list.formatted(posts).getBytes(UTF_8)))
          .isEqualTo(CollectedCodec.read(posts.getBytes(UTF_8)));
    }
    var post = "{\"meta\":{\"id\":\"1\"},\"content\":{\"text\":\"a\"},\"items\":[{\"id\":\"x\"}]}";
    assertThat(CollectedCodec.read(post.getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            Decoded.Message.class,
            found -> assertThat(((Collected.Inline) found.message()).posts()).hasSize(1));
    assertThat(CollectedCodec.read("{\"items\":[]}".getBytes(UTF_8)))
        .isEqualTo(new Decoded.Malformed<>("the message has no posts"));
  }
}
