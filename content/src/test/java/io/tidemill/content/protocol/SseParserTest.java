package io.tidemill.content.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SseParserTest {
  private final List<SseEvent> events = new ArrayList<>();

  @Test
  void joinsDataLinesAndNamesTheEvent() throws IOException {
    parse("event: add\ndata: 73857293\ndata:2153\n\n");

    assertThat(events).containsExactly(new SseEvent("add", "73857293\n2153", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void endsLinesInAllThreeWays(String end) throws IOException {
    parse("data: a%1$sdata: b%1$s%1$sdata: c%1$s%1$s".formatted(end));

    assertThat(events).extracting(SseEvent::data).containsExactly("a\nb", "c");
  }

  @Test
  void keepsTheIdUntilAnotherComes() throws IOException {
    parse("id: 1\ndata: a\n\ndata: b\n\nid: x\0y\ndata: c\n\nid\ndata: d\n\n");

    assertThat(events).extracting(SseEvent::lastEventId).containsExactly("1", "1", "1", "");
  }

  @Test
  void startsWithTheIdOfTheConnectionBefore() throws IOException {
    var parser = new SseParser("7-0", events::add);

    feed(parser, "event: hello\ndata: {}\n\n", 4096);

    assertThat(parser.lastEventId()).isEqualTo("7-0");
  }

  @Test
  void dropsHalfAnEventAndItsId() throws IOException {
    var parser = parse("data: whole\n\nid: 9\ndata: half\n");

    assertThat(events).extracting(SseEvent::data).containsExactly("whole");
    assertThat(parser.lastEventId()).isEmpty();
  }

  @Test
  void movesTheIdWithoutDispatchingWhenThereIsNoData() throws IOException {
    var parser = parse("id: 5\n\n");

    assertThat(events).isEmpty();
    assertThat(parser.lastEventId()).isEqualTo("5");
  }

  @Test
  void skipsCommentsAndFieldsItDoesNotKnow() throws IOException {
    parse(": heartbeat\n\nfoo: bar\nData: no\ndata\n\n");

    assertThat(events).containsExactly(new SseEvent("message", "", ""));
  }

  @Test
  void takesOneByteOrderMarkAndOneSpaceAway() throws IOException {
    parse("\uFEFFdata:  two spaces\n\n");

    assertThat(events).extracting(SseEvent::data).containsExactly(" two spaces");
  }

  @Test
  void readsRetryOnlyWhenItIsANumber() throws IOException {
    assertThat(parse("retry: 03000\n\n").retry()).contains(Duration.ofSeconds(3));
    assertThat(parse("retry: 10x\nretry: -1\nretry:\n\n").retry()).isEmpty();
  }

  @Test
  void readsTheSameInPiecesOfAnySize() throws IOException {
    var text = "\uFEFFid: 1\r\nevent: é\rdata: 🌊\r\ndata: b\n\r\n: c\r\rdata: ü\n\n";
    parse(text);
    var whole = List.copyOf(events);

    for (int size = 1; size < 12; size++) {
      events.clear();
      feed(new SseParser("", events::add), text, size);
      assertThat(events).as("pieces of %d", size).isEqualTo(whole);
    }
    assertThat(whole).hasSize(2);
  }

  @Test
  void survivesAnyBytes() throws IOException {
    var random = new Random(7);
    var alphabet = "data:id event\r\n\0: é".getBytes(UTF_8);
    for (int round = 0; round < 2_000; round++) {
      var bytes = new byte[random.nextInt(60)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] =
            random.nextInt(5) == 0
                ? (byte) random.nextInt(256)
                : alphabet[random.nextInt(alphabet.length)];
      }
      new SseParser("", events::add).feed(bytes, bytes.length);
    }
    assertThat(events).allSatisfy(event -> assertThat(event.type()).isNotEmpty());
  }

  @Test
  void refusesALineWithoutEnd() {
    var parser = new SseParser("", events::add);
    var piece = "x".repeat(1 << 20).getBytes(UTF_8);

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 17; i++) parser.feed(piece, piece.length);
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void refusesAnEventOfEndlessLines() {
    var parser = new SseParser("", 100, events::add);
    var line = "data: ten bytes!\n".getBytes(UTF_8);

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 11; i++) parser.feed(line, line.length);
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too large");
  }

  @Test
  void holdsOnEveryRowOfTheWebPlatformTests() {
    var rows = Corpora.lines("sse/sse-parse-rows.jsonl");

    assertThat(rows).isNotEmpty().allSatisfy(this::holds);
  }

  private void holds(JsonNode row) {
    events.clear();
    var body = Base64.getDecoder().decode(row.path("body_base64").asString());
    var parser = new SseParser("", events::add);
    try {
      parser.feed(body, body.length);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }

    var expected = new ArrayList<SseEvent>();
    row.path("events")
        .forEach(event ->
            expected.add(
                new SseEvent(
                    event.path("type").asString(),
                    event.path("data").asString(),
                    event.path("lastEventId").asString())));
    assertThat(events).as(row.path("id").asString()).isEqualTo(expected);
    if (row.has("retry")) {
      assertThat(parser.retry()).contains(Duration.ofMillis(row.path("retry").asLong()));
    }
    var resume = row.path("reconnect_header").path("Last-Event-ID");
    if (!resume.isMissingNode()) assertThat(parser.lastEventId()).isEqualTo(resume.asString());
  }

  private SseParser parse(String text) throws IOException {
    var parser = new SseParser("", events::add);
    feed(parser, text, 4096);
    return parser;
  }

  private static void feed(SseParser parser, String text, int size) throws IOException {
    var bytes = text.getBytes(UTF_8);
    for (int at = 0; at < bytes.length; at += size) {
      var piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size));
      parser.feed(piece, piece.length);
    }
  }
}
