package io.tidemill.contract.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;

import io.tidemill.contract.Decoded;
import io.tidemill.json.Json;
import io.tidemill.support.ExecutionSchemas;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ExecutionCodecTest {
  private static final Path GOLDEN = Path.of("../contracts/src/test/resources/contract/workflow");

  private static Stream<String> types() {
    return ExecutionEvent.TYPES.stream().sorted();
  }

  private static Stream<String> odd() throws IOException {
    try (var files = Files.list(GOLDEN)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".in.json"))
          .map(name -> name.replace(".in.json", ""))
          .sorted()
          .toList()
          .stream();
    }
  }

  // Real messages, as files

  @ParameterizedTest
  @MethodSource("types")
  void theContractsExampleComesBackAsItWas(String type) throws IOException { // C2.3
    var example = golden(type + ".json");
    var read = message(example);

    assertThat(read.event().type()).isEqualTo(type);
    assertThat(new String(ExecutionCodec.encode(read), UTF_8))
        .isEqualTo(Json.text(Json.parse(example)));
    assertThat(ExecutionCodec.text(read, Json.text(ExecutionCodec.payload(read.event()))))
        .isEqualTo(Json.text(Json.parse(example)));
  }

  @ParameterizedTest
  @MethodSource("types")
  void theContractsExampleIsAsItsSchemaSays(String type) throws IOException { // C2.3
    ExecutionSchemas.assertValid(golden(type + ".json"));
  }

  @ParameterizedTest
  @MethodSource("odd")
  void whatOthersWriteIsReadAndWrittenOurWay(String name) throws IOException { // C2.2, G7
    var read = message(golden(name + ".in.json"));

    assertThat(new String(ExecutionCodec.encode(read), UTF_8))
        .isEqualTo(Json.text(Json.parse(golden(name + ".out.json"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"later-type", "later-type-without-payload"})
  void aTypeOfALaterVersionIsReadAsUnknown(String name) throws IOException { // G7
    assertThat(message(golden(name + ".json")).event()).isInstanceOf(ExecutionEvent.Unknown.class);
  }

  @Test
  void readsTheCorpusOfTheContract() throws IOException { // C2.3
    var corpus = Json.parse(Files.readAllBytes(Corpora.find("contracts/c2-streamops.json")));

    assertThat(corpus.get("events")).hasSize(10);
    for (var event : corpus.get("events")) {
      assertThat(Json.text(ExecutionCodec.tree(message(Json.bytes(event)))))
          .isEqualTo(Json.text(event));
      ExecutionSchemas.assertValid(event);
    }
  }

  // What is not as it must be

  @ParameterizedTest
  @MethodSource("types")
  void everyFieldOfAnExampleIsRequired(String type) throws IOException { // C2.3
    var example = (ObjectNode) Json.parse(golden(type + ".json"));
    for (var name : List.of("eventType", "eventId", "timestamp", "payload")) {
      assertRefused(example, tree -> tree.remove(name), name);
    }
    for (var name : names(example.get("payload"))) {
      assertRefused(example, tree -> payload(tree).remove(name), "payload." + name);
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyFieldOfAnExampleHasAType(String type) throws IOException { // C2.3
    var example = (ObjectNode) Json.parse(golden(type + ".json"));
    for (var name : List.of("eventType", "eventId", "timestamp", "payload")) {
      assertRefused(example, tree -> tree.putNull(name), name);
    }
    for (var name : names(example.get("payload"))) {
      if (List.of("result", "summary").contains(name)) continue; // others may say what they like
      assertRefused(example, tree -> payload(tree).putNull(name), "payload." + name);
      assertRefused(example, tree -> payload(tree).put(name, true), "payload." + name);
    }
  }

  private static void assertRefused(ObjectNode example, Consumer<ObjectNode> change, String name) {
    var changed = example.deepCopy();
    change.accept(changed);
    assertThat(malformed(changed)).startsWith(name + " must ");
    assertThatThrownBy(() -> ExecutionSchemas.assertValid(changed))
        .as("%s", changed)
        .isInstanceOf(AssertionError.class);
  }

  @ParameterizedTest
  @CsvSource({
    "priority, urgent",
    "priority, HIGH",
    "createdAt, yesterday",
    "createdAt, 2026-01-04",
    "createdAt, 2026-02-30T00:00:00Z",
    "createdAt, +10000-01-01T00:00:00Z",
    "createdAt, 1969-12-31T23:59:59Z",
    "workflowId, ''",
    "workflowId, wf-1:events",
    "workflowId, wf-1:outbox",
    "name, ''",
    "steps, validate",
  })
  void aFieldThatIsWrongIsNamed(String field, String value) throws IOException { // F52
    var tree = created();
    payload(tree).put(field, value);

    assertThat(malformed(tree)).startsWith("payload." + field + " must ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[1]", "[null]", "[[\"validate\"]]", "{}"})
  void stepsAreTexts(String steps) throws IOException {
    var tree = created();
    payload(tree).set("steps", Json.parse(steps));

    assertThat(malformed(tree)).startsWith("payload.steps must ");
  }

  @Test
  void anEmptyStepIsReadSoThatItsWorkflowCanFail() throws IOException { // C2.8
    var tree = created();
    payload(tree).set("steps", Json.parse("[\"\"]"));

    var event = (ExecutionEvent.WorkflowCreated) message(Json.bytes(tree)).event();

    assertThat(event.steps()).containsExactly("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "0.5", "2147483648", "1e999999999", "\"3\"", "-1e-999999999"})
  void countsAreWholeNumbers(String count) throws IOException { // F49
    var tree = (ObjectNode) Json.parse(golden("task.created.json"));
    payload(tree).set("maxRetries", Json.parse(count));

    assertThat(malformed(tree)).startsWith("payload.maxRetries must be a whole number");
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "3.0, 3", "0, 0", "2147483647, 2147483647", "3e0, 3"})
  void countsMayBeWrittenWithAFraction(String written, int count) throws IOException {
    var tree = (ObjectNode) Json.parse(golden("task.created.json"));
    payload(tree).set("maxRetries", Json.parse(written));

    assertThat(((ExecutionEvent.TaskCreated) message(Json.bytes(tree)).event()).maxRetries())
        .isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "-1e400", "1e999999999", "1e16", "\"1\"", "null"})
  void durationsAreNumbersOfMilliseconds(String duration) throws IOException { // F49
    var tree = (ObjectNode) Json.parse(golden("task.completed.json"));
    payload(tree).set("duration", Json.parse(duration));

    assertThat(malformed(tree)).startsWith("payload.duration must be a number");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "\"x\"", "[]", "true"})
  void metadataThatIsNoObjectCountsAsNone(String metadata) throws IOException { // C2.2
    var tree = created();
    tree.set("metadata", Json.parse(metadata));
    payload(tree).set("metadata", Json.parse(metadata));

    assertThat(message(Json.bytes(tree)).metadata()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{}x", "nul", "{'a':1}", "\u0000"})
  void callsBrokenJsonUnreadable(String value) {
    assertThat(ExecutionCodec.decode(value.getBytes(UTF_8))).isInstanceOf(Decoded.Unreadable.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "null", "\"workflow.created\"", "{}", "{\"eventType\":7}"})
  void whatIsNoEventIsMalformed(String value) {
    assertThat(ExecutionCodec.decode(value.getBytes(UTF_8))).isInstanceOf(Decoded.Malformed.class);
  }

  @Test
  @Timeout(10)
  void survivesDepthBombs() throws IOException { // F49
    var bomb = "{\"eventType\":\"workflow.created\",\"payload\":" + "[".repeat(100_000);

    assertThat(ExecutionCodec.decode(bomb.getBytes(UTF_8))).isInstanceOf(Decoded.Unreadable.class);
  }

  @ParameterizedTest
  @CsvSource({"500,true", "501,false", "5000,false"})
  void onlySoManyStepsAreRead(int steps, boolean read) throws IOException { // F52
    var event = (ObjectNode) Json.parse(golden("workflow.created.json"));
    var list = ((ObjectNode) event.get("payload")).putArray("steps");
    for (int i = 0; i < steps; i++) list.add("s");

    var decoded = ExecutionCodec.decode(Json.bytes(event));

    if (read) assertThat(decoded).isInstanceOf(Decoded.Message.class);
    else
      assertThat(decoded)
          .isEqualTo(new Decoded.Malformed<>("payload.steps must have at most 500 names"));
  }

  // Whatever we may write

  @Test
  void whatWeWriteIsReadAsTheSameAndIsAsItsSchemaSays() { // C2.3
    qt().withExamples(500)
        .forAll(SampleEvents.any())
        .checkAssert(message -> {
          var wire = ExecutionCodec.encode(message);

          assertThat(ExecutionCodec.decode(wire)).isEqualTo(new Decoded.Message<>(message));
          ExecutionSchemas.assertValid(wire);
        });
  }

  @Test
  void theGeneratorKnowsEveryType() {
    var seen = new ArrayList<String>();
    qt().withExamples(500)
        .forAll(SampleEvents.any())
        .checkAssert(message -> seen.add(message.event().type()));

    assertThat(seen).containsAll(ExecutionEvent.TYPES);
  }

  @Test
  void whatWeMakeOurselvesHasAnIdOfOurs() { // C2.2
    var task = new ExecutionEvent.TaskProcessing(ExecutionNames.newTaskId(), Instant.EPOCH, 0);
    var metadata = Json.object().put("source", ExecutionNames.PROCESSOR);

    ExecutionSchemas.assertOurs(
        ExecutionCodec.encode(ExecutionMessage.of(task, Instant.EPOCH, metadata)));
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(java.util.Map.Entry::getKey).toList();
  }

  private static ObjectNode created() throws IOException {
    return (ObjectNode) Json.parse(golden("workflow.created.json"));
  }

  private static ObjectNode payload(ObjectNode tree) {
    return (ObjectNode) tree.get("payload");
  }

  private static ExecutionMessage message(byte[] value) {
    var read = ExecutionCodec.decode(value);
    assertThat(read).isInstanceOf(Decoded.Message.class);
    return ((Decoded.Message<ExecutionMessage>) read).message();
  }

  private static String malformed(JsonNode tree) {
    var read = ExecutionCodec.decode(Json.bytes(tree));
    assertThat(read).as("%s", tree).isInstanceOf(Decoded.Malformed.class);
    return ((Decoded.Malformed<ExecutionMessage>) read).why();
  }

  private static byte[] golden(String name) throws IOException {
    return Files.readAllBytes(GOLDEN.resolve(name));
  }
}
