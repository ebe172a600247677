package io.tidemill.deadletter.redrive;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.deadletter.DeadLetterRef;
import io.tidemill.deadletter.redrive.Redrive.Action;
import io.tidemill.deadletter.redrive.Redrive.State;
import io.tidemill.deadletter.redrive.RedriveStore.Next;
import io.tidemill.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedriveCodecTest {
  private static final Pattern CALL =
      Pattern.compile("redis\\.call\\('H[A-Z]+',(?:[^()]|\\([^()]*\\))*\\)");
  private static final Pattern NAME = Pattern.compile("'([a-zA-Z]+)'");

  @Test
  void whatTheScriptsWroteIsRead() {
    var fields = new HashMap<>(created());
    fields.putAll(
        Map.of(
            "redriven",
            "3",
            "failed",
            "1",
            "next",
            "4",
            "doing",
            "4",
            "mark",
            "0-17",
            "trouble",
            "Kafka does not answer"));

    var redrive = RedriveCodec.decode(fields).orElseThrow();

    assertThat(redrive)
        .isEqualTo(
            new Redrive(
                "rd-1",
                order(),
                State.RUNNING,
                new Redrive.Counts(9, 3, 0, 1, 0),
                new Redrive.Position(4, new Redrive.Begun(4, "0-17")),
                Instant.ofEpochMilli(1_767_488_967_123L),
                null,
                "Kafka does not answer"));
    assertThat(redrive.checkpoint(4)).contains("0-17");
    assertThat(redrive.checkpoint(5)).isEmpty();
    assertThat(redrive.hasEnded()).isFalse();
  }

  @Test
  void anEndedOneHasItsTime() {
    var fields = new HashMap<>(created());
    fields.putAll(Map.of("state", "canceled", "endedAt", "1767488968000"));

    var redrive = RedriveCodec.decode(fields).orElseThrow();

    assertThat(redrive.state()).isEqualTo(State.CANCELED);
    assertThat(redrive.hasEnded()).isTrue();
    assertThat(redrive.position().begun()).isNull();
  }

  @Test
  void withoutFieldsThereIsNone() {
    assertThat(RedriveCodec.decode(Map.of())).isEmpty();
  }

  @Test
  void answersOfScriptsAreKnownOrAFault() {
    assertThat(Stream.of("go", "done", "canceled", "fenced").map(RedriveCodec::next))
        .containsExactly(Next.GO, Next.DONE, Next.CANCELED, Next.FENCED);
    assertThat(RedriveCodec.canceled("unknown")).isEmpty();
    assertThat(RedriveCodec.canceled("done")).contains(State.DONE);
    assertThatThrownBy(() -> RedriveCodec.next("stop")).hasMessageContaining("stop");
  }

  @Test
  void refsAndOutcomesComeBackAsTheyWere() {
    var ref = new DeadLetterRef("jobs", "a b c");
    var outcome = new RedriveOutcome("1-0", RedriveOutcome.Kind.SKIPPED, "it is }gone}");
    var stored =
        RedriveCodec.encode(outcome).replaceFirst("}$", ",\"at\":5}"); // as the script does

    assertThat(RedriveCodec.encode(List.of(ref))).containsExactly("jobs a b c");
    assertThat(RedriveCodec.decodeRef("jobs a b c")).isEqualTo(ref);
    assertThat(RedriveCodec.decodeResult(stored))
        .isEqualTo(new RedriveStore.RecordedOutcome(outcome, Instant.ofEpochMilli(5)));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void scriptsUseNoOtherFields(Path script) throws IOException {
    var known = new ArrayList<>(RedriveCodec.FIELDS);
    for (var state : State.values()) known.add(state.wire());

    var names =
        CALL.matcher(Files.readString(script))
            .results()
            .flatMap(call -> NAME.matcher(call.group()).results())
            .map(name -> name.group(1))
            .filter(name -> !name.matches("[A-Z]+")) // commands
            .toList();

    assertThat(known).containsAll(names);
    if (script.endsWith("record_redrive_outcome.lua")) {
      assertThat(names).contains("next", "doing", "endedAt");
    }
  }

  static List<Path> scripts() throws Exception {
    var one = requireNonNull(RedriveStore.class.getResource("redrive_lease.lua"));
    try (var files = Files.list(Path.of(one.toURI()).resolveSibling(""))) {
      var scripts = files.filter(file -> file.toString().endsWith(".lua")).toList();
      assertThat(scripts).hasSizeGreaterThanOrEqualTo(7);
      return scripts;
    }
  }

  private static Redrive.Order order() {
    return new Redrive.Order(Action.DISCARD, "alice", "all", Json.object().put("q", "lost"), 50);
  }

  private static Map<String, String> created() {
    var fields =
        new HashMap<>(
            Map.of("id", "rd-1", "state", "running", "startedAt", "1767488967123", "total", "9"));
    var order = RedriveCodec.encode(order());
    for (int i = 0; i < order.size(); i += 2) fields.put(order.get(i), order.get(i + 1));
    return fields;
  }
}
