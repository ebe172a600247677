package io.tidemill.contract.job;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.strings;

import io.tidemill.contract.Decoded;
import io.tidemill.json.Json;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quicktheories.core.Gen;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JobCodecTest {
  private static final int TTL = 3600;
  private static final Path GOLDEN = Path.of("src/test/resources/contract/job");

  // Real messages, as files

  @ParameterizedTest
  @ValueSource(strings = {"submission", "submission-least"})
  void readsSubmissionsAsWritten(String name) throws IOException { // C3.2
    var job = message(JobCodec.decodeSubmission(bytes(name + ".in.json"), TTL));

    var read = Json.object().put("task", job.task().wire()).put("payload", job.payload());
    assertThat(Json.text(read.put("ttl_s", job.ttlSeconds()))).isEqualTo(golden(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"entry", "entry-raw"})
  void readsQueueEntriesOfOthers(String name) throws IOException { // C3.1, C3.7, G7
    var fields = new HashMap<String, byte[]>();
    hash(name).forEach((key, value) -> fields.put(key, value.getBytes(UTF_8)));

    var entry = message(JobCodec.decodeEntry(fields));

    var read = Json.object().put("job_id", entry.jobId()).put("task", entry.task());
    read.set("payload", entry.payload());
    read.put("traceparent", entry.traceparent()).put("idempotency_key", entry.idempotencyKey());
    assertThat(Json.text(read)).isEqualTo(golden(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"job", "job-odd"})
  void showsRecordsOfOthers(String name) throws IOException { // C3.5, G7
    var job = JobCodec.decodeJob("the-id", hash(name)).orElseThrow();

    assertThat(Json.text(JobCodec.encodeJob(job))).isEqualTo(golden(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"event", "event-odd"})
  void showsEventsOfOthers(String name) throws IOException { // C3.6, G7
    var event = JobCodec.decodeEvent("5-1", hash(name));

    assertThat(JobCodec.encodeEvent(event)).isEqualTo(golden(name));
  }

  @Test
  void anEmptyHashIsNoJob() { // C3.5
    assertThat(JobCodec.decodeJob("x", Map.of())).isEmpty();
  }

  // What a client may ask for

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-1", "604801", "1.5", "\"x\"", "\"60\"", "1e2", "true", "[]", "1e99"})
  void refusesTtlsThatAreNoWholeNumberOfSeconds(String ttl) { // C3.2
    assertThat(malformed("{\"task\":\"chat\",\"ttl_s\":" + ttl + "}")).startsWith("ttl_s must");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 60, 604_800})
  void acceptsLivesUpToAWeek(int ttl) { // C3.2
    var job = submission("{\"task\":\"chat\",\"ttl_s\":" + ttl + "}");

    assertThat(job.ttlSeconds()).isEqualTo(ttl);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "\"x\"", "1", "true", "null"})
  void refusesPayloadsThatAreNoObjects(String payload) { // C3.2
    assertThat(malformed("{\"task\":\"chat\",\"payload\":" + payload + "}"))
        .isEqualTo("payload must be a JSON object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"Chat\"", "\"chat \"", "\"\"", "\"sing\"", "1", "null", "[\"chat\"]"})
  void refusesTasksOutsideTheSix(String task) { // C3.2
    assertThat(malformed("{\"task\":" + task + "}")).contains("chat, plan, code, tool, rag, embed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "\"x\"", "null", "true"})
  void refusesBodiesThatAreNoObjects(String body) { // C3.2
    assertThat(malformed(body)).isEqualTo("the body must be a JSON object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{}x", "{} {}", "nul", "{'a':1}", "{\"a\":NaN}", "[1,]"})
  void callsBrokenJsonUnreadable(String body) { // C3.2
    assertThat(JobCodec.decodeSubmission(body.getBytes(UTF_8), TTL))
        .isInstanceOf(Decoded.Unreadable.class);
  }

  @Test
  void callsBytesThatAreNotUtf8Unreadable() { // G3
    assertThat(JobCodec.decodeSubmission("{\"task\":\"ch\u00e4t\"}".getBytes(ISO_8859_1), TTL))
        .isInstanceOf(Decoded.Unreadable.class);
  }

  @Test
  void neverRepeatsTheContentOfAnUnreadableBody() {
    var body = "{\"password\": hunter2}".getBytes(UTF_8);

    assertThat(JobCodec.decodeSubmission(body, TTL).toString()).doesNotContain("hunter2");
  }

  // Queue entries

  @ParameterizedTest
  @ValueSource(strings = {"job_id", "task", "payload"})
  void anEntryWithoutAFieldIsMalformed(String missing) { // C3.7
    var fields = entry();
    fields.remove(missing);

    assertThat(JobCodec.decodeEntry(fields))
        .isInstanceOfSatisfying(
            Decoded.Malformed.class, malformed -> assertThat(malformed.why()).contains(missing));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:b", "a b", "{a}", "a\n", "*", "\u00e9", "a/b"})
  void anEntryWhoseIdNamesAnotherKeyIsMalformed(String id) { // F52
    var fields = entry();
    fields.put("job_id", id.getBytes(UTF_8));

    assertThat(JobCodec.decodeEntry(fields)).isInstanceOf(Decoded.Malformed.class);
  }

  @Test
  void aPayloadThatIsNotJsonIsKeptRaw() { // C3.7
    var fields = entry();
    fields.put("payload", new byte[] {'{', (byte) 0xff, '}'});

    assertThat(message(JobCodec.decodeEntry(fields)).payload().get("_raw").stringValue())
        .isEqualTo("{\ufffd}");
  }

  // Bombs

  @Test
  @Timeout(10)
  void survivesDepthBombs() { // F49
    for (var open : List.of("[", "{\"a\":", "[{\"a\":")) {
      var bomb = open.repeat(100_000).getBytes(UTF_8);
      var fields = entry();
      fields.put("payload", bomb);

      assertThat(JobCodec.decodeSubmission(bomb, TTL)).isInstanceOf(Decoded.Unreadable.class);
      assertThat(message(JobCodec.decodeEntry(fields)).payload().has("_raw")).isTrue();
      var shown = JobCodec.encodeEvent(JobCodec.decodeEvent("1-0", Map.of("data", text(bomb))));
      assertThat(Json.parse(shown).get("data").isString()).isTrue();
    }
  }

  @Test
  @Timeout(10)
  void survivesLongStringsAndNumbers() { // F49
    var text = "{\"task\":\"chat\",\"payload\":{\"a\":\"" + "x".repeat(10_000_000) + "\"}}";
    var digits = "{\"task\":\"chat\",\"payload\":{\"a\":" + "9".repeat(1_000_000) + "}}";

    assertThat(submission(text).payload()).hasSize(10_000_008);
    assertThat(JobCodec.decodeSubmission(digits.getBytes(UTF_8), TTL))
        .isInstanceOf(Decoded.Unreadable.class);
  }

  @Test
  @Timeout(10)
  void survivesHugeExponents() { // F49: a small text that stands for a gigabyte of digits
    var body = "{\"task\":\"chat\",\"payload\":{\"a\":1e999999999,\"b\":-1E-999999999}}";

    assertThat(submission(body).payload()).hasSizeLessThan(100);
    assertThat(JobCodec.decodeSubmission("{\"a\":1e99999999999}".getBytes(UTF_8), TTL))
        .isInstanceOf(Decoded.Unreadable.class);
    assertThat(
            JobCodec.decodeSubmission(
                "{\"task\":\"chat\",\"ttl_s\":1e999999999}".getBytes(UTF_8), TTL))
        .isInstanceOf(Decoded.Malformed.class);
  }

  @Test
  void halfASurrogatePairIsKeptAsItWasWritten() { // C3.1, G3
    var half = "{\"task\":\"chat\",\"payload\":{\"a\":\"\\ud800\"}}";
    var event = JobCodec.decodeEvent("1-0", Map.of("data", "{\"a\":\"\\udfff\"}"));
    var job = JobCodec.decodeJob("x", Map.of("payload", "{\"\\ud800\":1}")).orElseThrow();

    assertThat(submission(half).payload()).isEqualTo("{\"a\":\"\\uD800\"}");
    assertThat(JobCodec.encodeEvent(event)).contains("{\"a\":\"\\uDFFF\"}");
    assertThat(JobCodec.encodeJob(job).get("payload").stringValue()).isEqualTo("{\"\\ud800\":1}");
  }

  // Properties

  @Test
  void payloadsLoseNothing() { // C3.1: numbers keep every digit
    qt().forAll(trees())
        .check(payload -> {
          var body = Json.object().put("task", "chat");
          body.set("payload", payload);
          var once = message(JobCodec.decodeSubmission(Json.bytes(body), TTL)).payload();
          var fields = entry();
          fields.put("payload", once.getBytes(UTF_8));
          var twice = message(JobCodec.decodeEntry(fields)).payload();
          return once.equals(Json.text(payload)) && Json.text(twice).equals(once);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.10",
        "0.1000",
        "12345678901234567890123",
        "1.7976931348623157E+400",
        "1E-400",
        "9007199254740993",
        "-9223372036854775809",
        "0.30000000000000004",
        "1E+2"
      })
  void numbersKeepEveryDigit(String number) { // C3.1
    assertThat(Json.text(Json.parse("[" + number + "]"))).isEqualTo("[" + number + "]");
  }

  @Test
  void anyBytesAreAnswered() { // G3
    qt().forAll(lists().of(integers().between(0, 255)).ofSizeBetween(0, 200))
        .check(list -> {
          var bytes = new byte[list.size()];
          for (int i = 0; i < bytes.length; i++) bytes[i] = list.get(i).byteValue();
          return JobCodec.decodeSubmission(bytes, TTL) != null;
        });
  }

  @Test
  void anyFieldsAreAnswered() { // C3.7, G3
    var names = List.of("job_id", "task", "payload", "traceparent", "idempotency_key", "x");
    qt().forAll(
            lists().of(integers().between(0, 5)).ofSizeBetween(0, 6),
            lists().of(strings().allPossible().ofLengthBetween(0, 20)).ofSize(6))
        .check((picks, values) -> {
          var fields = new HashMap<String, byte[]>();
          for (var pick : picks) fields.put(names.get(pick), values.get(pick).getBytes(UTF_8));
          var decoded = JobCodec.decodeEntry(fields);
          return decoded instanceof Decoded.Malformed || decoded instanceof Decoded.Message;
        });
  }

  @Test
  void deadFieldsComeBackAsTheyWere() { // G3: the original bytes are kept
    qt().forAll(lists().of(strings().allPossible().ofLengthBetween(0, 30)).ofSizeBetween(0, 5))
        .check(values -> {
          var fields = new LinkedHashMap<String, byte[]>();
          for (int i = 0; i < values.size(); i++)
            fields.put("f" + i, values.get(i).getBytes(i % 2 == 0 ? UTF_8 : UTF_16));
          var back = JobCodec.decodeFields(JobCodec.encodeFields(fields));
          return back.keySet().equals(fields.keySet())
              && back.entrySet().stream()
                  .allMatch(e -> java.util.Arrays.equals(e.getValue(), fields.get(e.getKey())));
        });
  }

  @Test
  void deadFieldsThatAreNoTextComeBackToo() { // G3
    var fields = Map.of("payload", new byte[] {(byte) 0xff, 0, 1});

    assertThat(JobCodec.decodeFields(JobCodec.encodeFields(fields)).get("payload"))
        .isEqualTo(fields.get("payload"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "[1]", "null", "{\"a\":", "\"a\"", "{\"a\":{\"base64\":\"?\"}}"})
  void deadFieldsOfOthersAreNoFields(String written) { // G7
    assertThat(JobCodec.decodeFields(written)).isEmpty();
  }

  // The corpus of JSON parsers

  @Test
  void readsJsonAsTheStandardSays() throws IOException {
    var wrong = new ArrayList<String>();
    var began = System.nanoTime();
    for (var file : Corpora.files("json/JSONTestSuite")) {
      var name = file.getFileName().toString();
      var parsed = parses(Files.readAllBytes(file));
      if (name.startsWith("y_") && !parsed) wrong.add(name + " must parse");
      if (name.startsWith("n_") && parsed) wrong.add(name + " must not parse");
    }

    assertThat(wrong).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
  }

  private static boolean parses(byte[] json) {
    try {
      Json.parse(json);
      return true;
    } catch (JacksonException refused) {
      return false;
    }
  }

  private static Gen<ObjectNode> trees() {
    return integers().all().map(seed -> object(new Random(seed), 0));
  }

  private static ObjectNode object(Random random, int depth) {
    var tree = Json.object();
    for (int i = random.nextInt(5); i > 0; i--) tree.set(text(random), value(random, depth + 1));
    return tree;
  }

  private static JsonNode value(Random random, int depth) {
    return switch (random.nextInt(depth > 5 ? 6 : 8)) {
      case 0 -> Json.tree(random.nextLong());
      case 1 -> Json.tree(new BigInteger(random.nextInt(1, 400), random));
      case 2 ->
          Json.tree(
              new BigDecimal(new BigInteger(200, random), random.nextInt(-500, 500)).negate());
      case 3 -> Json.tree(random.nextBoolean());
      case 4 -> Json.parse("null");
      case 5 -> Json.tree(text(random));
      case 6 -> object(random, depth);
      default -> array(random, depth);
    };
  }

  private static ArrayNode array(Random random, int depth) {
    var array = Json.object().putArray("a");
    for (int i = random.nextInt(5); i > 0; i--) array.add(value(random, depth + 1));
    return array;
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      var point = random.nextInt(random.nextBoolean() ? 128 : Character.MAX_CODE_POINT + 1);
      if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
        text.appendCodePoint(point);
      }
    }
    return text.toString();
  }

  private static Map<String, byte[]> entry() {
    var fields = new HashMap<String, byte[]>();
    fields.put("job_id", "j1".getBytes(UTF_8));
    fields.put("task", "tool".getBytes(UTF_8));
    fields.put("payload", "{}".getBytes(UTF_8));
    return fields;
  }

  private static <T> T message(Decoded<T> decoded) {
    assertThat(decoded).isInstanceOf(Decoded.Message.class);
    return ((Decoded.Message<T>) decoded).message();
  }

  private static JobSubmission submission(String body) {
    return message(JobCodec.decodeSubmission(body.getBytes(UTF_8), TTL));
  }

  private static String malformed(String body) {
    var decoded = JobCodec.decodeSubmission(body.getBytes(UTF_8), TTL);
    assertThat(decoded).isInstanceOf(Decoded.Malformed.class);
    return ((Decoded.Malformed<JobSubmission>) decoded).why();
  }

  private static byte[] bytes(String file) throws IOException {
    return Files.readAllBytes(GOLDEN.resolve(file));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private static String golden(String name) throws IOException {
    return text(bytes(name + ".out.json")).strip();
  }

  private static Map<String, String> hash(String name) throws IOException {
    var hash = new LinkedHashMap<String, String>();
    for (var field : Json.parse(bytes(name + ".in.json")).properties()) {
      hash.put(field.getKey(), field.getValue().stringValue());
    }
    return hash;
  }
}
