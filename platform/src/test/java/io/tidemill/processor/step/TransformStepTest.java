package io.tidemill.processor.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransformStepTest {
  private static final String BIG =
      "{\"i\":123456789012345678901234567890,\"d\":1.50,\"x\":0.12345678901234567890123,\"n\":null}";

  @TempDir private Path scratch;

  private TransformStep step() {
    return new TransformStep(new RejectStore((name, _) -> "s3://aside/" + name, scratch));
  }

  private List<String> transformed(String options, String... records) throws Exception {
    return MemoryCall.texts(MemoryCall.of(options, records).done(step()).output());
  }

  private String value(String expression, String record) throws Exception {
    var options = Json.object();
    options.putObject("map").put("v", expression);
    return transformed(Json.text(options), record).getFirst();
  }

  @Test
  void doesEverythingInOrder() throws Exception {
    var options =
        """
        {"filter":"price > 1","map":{"name":"$uppercase(title)","price":"price","tags":"tags"},
         "rename":{"tags":"labels"},"derive":{"cheap":"price < 10","n":"$count(labels)"},
         "drop":["labels"]}\
        """;

    assertThat(
            transformed(
                options,
                "{\"title\":\"a\",\"price\":2,\"tags\":[\"x\",\"y\"],\"other\":1}",
                "{\"title\":\"b\",\"price\":1}",
                "{\"title\":\"c\",\"price\":20}"))
        .containsExactly(
            "{\"name\":\"A\",\"price\":2,\"cheap\":true,\"n\":2}",
            "{\"name\":\"C\",\"price\":20,\"cheap\":false,\"n\":0}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [false, false]        | false
          [false, true]         | true
          [0, "", null]         | false
          [[false], [[0]]]      | false
          [[false], [[0, 1]]]   | true
          []                    | false
          [{}]                  | false
          [{"a": false}]        | true
          """)
  void aListIsTrueWhenSomethingInItIs(String list, boolean isKept) throws Exception {
    var options = Json.text(Json.object().put("filter", list));

    assertThat(transformed(options, "{}")).hasSize(isKept ? 1 : 0);
  }

  @Test
  void picksAndDropsFields() throws Exception {
    assertThat(
            transformed("{\"pick\":[\"a\",\"b\"],\"drop\":[\"b\"]}", "{\"a\":1,\"b\":2,\"c\":3}"))
        .containsExactly("{\"a\":1}");
  }

  @Test
  void makesSeveralRecordsOfOneOrNone() throws Exception {
    var done =
        MemoryCall.of(
                "{\"expression\":\"items.{\\\"id\\\":$$.id,\\\"item\\\":$}\"}",
                "{\"id\":1,\"items\":[\"a\",\"b\"]}",
                "{\"id\":2}",
                "{\"id\":3,\"items\":[\"c\"]}")
            .done(step());

    assertThat(MemoryCall.texts(done.output()))
        .containsExactly(
            "{\"id\":1,\"item\":\"a\"}", "{\"id\":1,\"item\":\"b\"}", "{\"id\":3,\"item\":\"c\"}");
    assertThat(done.counts()).isEqualTo(new Counts(3, 3, 0));
    assertThat(Json.text(done.result()))
        .isEqualTo(
            "{\"recordsProcessed\":3,\"recordsWritten\":3,\"recordsDropped\":1,\"recordsFailed\":0}");
  }

  @Test
  void namesTheRecordThatFailsAsTheContractDoes() { // C2.3
    var call =
        MemoryCall.many(
            "{\"derive\":{\"total\":\"price * 2\"}}",
            600,
            i -> i == 523 ? Json.parse("{\"price\":\"x\"}") : Json.parse("{\"price\":1}"));

    assertThatThrownBy(() -> call.done(step()))
        .isInstanceOfSatisfying(
            WorkFailure.class,
            it -> {
              assertThat(it.code()).isEqualTo("TRANSFORM_ERROR");
              assertThat(it.isRetryable()).isFalse();
            })
        .hasMessageStartingWith("Invalid data format in record 523: derive.total: ");
  }

  @Test
  void skipsRecordsThatFailWhenAsked() throws Exception {
    var done =
        MemoryCall.of(
                "{\"onError\":\"skip\",\"map\":{\"v\":\"price * 2\"}}",
                "{\"price\":1}",
                "{\"price\":\"x\"}",
                "{\"price\":3}")
            .done(step());

    assertThat(done.counts()).isEqualTo(new Counts(3, 2, 1));
    assertThat(MemoryCall.texts(done.output())).containsExactly("{\"v\":2}", "{\"v\":6}");
    assertThat(done.result().at("/failed/0/position").asInt()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          i               | {"v":123456789012345678901234567890}
          d               | {"v":1.50}
          x               | {"v":0.12345678901234567890123}
          n               | {"v":null}
          nothing         | {}
          d + 1           | {"v":2.5}
          $string(i)      | {"v":"123456789012345678901234567890"}
          [i, d]          | {"v":[123456789012345678901234567890,1.50]}
          d = 1.5         | {"v":true}
          i > 5           | {"v":true}
          $sum([1,2])     | {"v":3}
          """)
  void keepsNumbersThatNobodyCalculatesWith(String expression, String made) throws Exception {
    assertThat(value(expression, BIG)).isEqualTo(made);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          $match(t, /l+/).match                | {"v":"ll"}
          $match(t, /(o)(x)?/).groups          | {"v":["o",""]}
          $contains(t, /^HE/i)                 | {"v":true}
          $replace(t, /(h)(e)/, "$2$1-$$")     | {"v":"eh-$llo"}
          $replace(t, "l", "$1", 1)            | {"v":"he$1lo"}
          $replace(t, /l/, function($m){ $uppercase($m.match) }) | {"v":"heLLo"}
          $split("a1b2c", /\\d/)                | {"v":["a","b","c"]}
          $split("a,b", ",")                   | {"v":["a","b"]}
          $join(["a","b"], "-")                | {"v":"a-b"}
          $map(["ab","c"], /b/).index          | {"v":1}
          4 / 2                                | {"v":2}
          n / n /* a /b/ c */                  | {"v":1}
          t & "/x/"                            | {"v":"hello/x/"}
          true and /l/(t).match = "l"          | {"v":true}
          $match(t, /[/e]/).index              | {"v":1}
          $pad(t, 7, "#")                      | {"v":"hello##"}
          $fromMillis(0, "[Y]-[M01]")          | {"v":"1970-01"}
          $toMillis("1970-01-01T00:00:01Z")    | {"v":1000}
          $formatNumber(1234.5, "#,##0.00")    | {"v":"1,234.50"}
          """)
  void knowsPatternsAndFunctions(String expression, String made) throws Exception {
    assertThat(value(expression, "{\"t\":\"hello\",\"n\":3}")).isEqualTo(made);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"map\":{\"total\":\"price *\"}}",
        "{\"derive\":{\"total\":\"(((\"}}",
        "{\"filter\":\"$match(a, /(/)\"}",
        "{\"filter\":\"a /\"}",
        "{\"expression\":\"/* \"}",
        "{\"expression\":\"a) , \\\"w\\\":(b\"}"
      })
  void namesABadExpressionBeforeAnyRecordIsRead(String options) {
    var call =
        MemoryCall.many(
            options,
            1,
            _ -> {
              throw new AssertionError("read");
            });

    assertThatThrownBy(() -> call.done(step()))
        .isInstanceOfSatisfying(
            WorkFailure.class, it -> assertThat(it.code()).isEqualTo("TRANSFORM_ERROR"))
        .hasMessageMatching(
            "transform: (map.total|derive.total|filter|expression) is not an expression: .*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "($f := function($n){ $f($n + 1) }; $f(1))",
        "($f := function($n){ 1 + $f($n + 1) }; $f(1))",
        "$map([1..10000000], function($i){ $i })",
        "$string([1..10000000])",
        "$sort([1..10000000])",
        "$pad('x', 2000000000)",
        "($a := 'xxxxxxxxxxxxxxxx'; $f := function($n, $s){ $n = 0 ? $s : $f($n - 1, $s & $s) }; $f(40, $a))",
        "($f := function($n, $s){ $n = 0 ? $string($s) : $f($n - 1, [$s, $s]) }; $f(40, [1]))",
        "($a := [1..10000]; $a.($a))",
        "$join([1..1000].$pad('', 100000, 'x'))",
        "$join([1..100000].('a'), $pad('', 10000000, 'x'))",
        "$replace($pad('', 1000000, 'x'), /x/, $pad('', 1000000, 'y'))",
        "$eval('1')",
        "$formatInteger(1000000000000, 'I')",
        "$fromMillis(0, '[Y,1000000000]')",
        "$toMillis('1111111111111111111111111111111111111111111111x', '[Y][M][D][H][m][s][Y][M][D]')",
        "function($x){ $x }",
        "$sum",
        "1/0"
      })
  void noExpressionTakesForEverOrAllMemory(String expression) { // F50
    assertThatThrownBy(() -> value(expression, "{\"t\":\"x\"}"))
        .isInstanceOf(WorkFailure.class)
        .hasMessageStartingWith("Invalid data format in record 1: map.v: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$round(x, 2)       | 1e99999999",
        "$formatBase(x)     | 1e99999999",
        "$round(x)          | 1e-99999999",
        "$round(x, 99999999)  | 1",
        "$round(x, -99999999) | 1",
      })
  void noNumberTakesForEver(String expression, String number) { // F50
    assertThatThrownBy(() -> value(expression, "{\"x\":" + number + "}"))
        .isInstanceOf(WorkFailure.class)
        .hasMessageStartingWith("Invalid data format in record 1: ");
  }

  @Test
  void roundsAsJsonataDoes() throws Exception {
    assertThat(value("[$round(x, 1), x.$round(), $round(-15, -1)]", "{\"x\":12.35}"))
        .isEqualTo("{\"v\":[12.4,12,-20]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "[", "-", "1+", "a.", "$f(", "{'a':", "not("})
  void noExpressionIsTooDeep(String open) { // F50
    assertThatThrownBy(() -> value(open.repeat(3_000), "{}")).isInstanceOf(WorkFailure.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$'0//(a+)+$/('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')",
        "1and/(a+)+$/('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')",
        "'x'and/(a+)+$/('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')",
        "a'b/(a+)+$/('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')",
        "$map(['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'], /(a+)+$/)",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' ~> /(a+)+$/",
        "$contains('a', /((((a{60}){60}){60}){60})/)",
        "($r := /(a+)+$/; $r('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'))"
      })
  void noPatternTakesForEver(String expression) { // F50
    try {
      assertThat(value(expression, "{\"a\":1}")).startsWith("{");
    } catch (Exception refused) {
      assertThat(refused).isInstanceOf(WorkFailure.class);
    }
  }

  @Test
  void oneRecordNeverSeesTheVariablesOfAnother() throws Exception {
    assertThat(
            transformed(
                "{\"map\":{\"a\":\"($was := $seen; $seen := 1; $was)\",\"b\":\"i\"}}",
                "{\"i\":1}",
                "{\"i\":2}"))
        .containsExactly("{\"b\":1}", "{\"b\":2}");
  }

  @Test
  void goesOnForManyRecords() throws Exception {
    var done =
        MemoryCall.many(
                "{\"map\":{\"v\":\"($x := i * 2; $x + 1)\"}}",
                50_000,
                i -> Json.object().put("i", i))
            .done(step());

    assertThat(done.counts()).isEqualTo(Counts.all(50_000));
  }

  @Test
  void canBeInterrupted() {
    var call =
        MemoryCall.many(
            "{}",
            10,
            i -> {
              if (i == 5) Thread.currentThread().interrupt();
              return Json.object();
            });

    assertThatThrownBy(() -> call.done(step())).isInstanceOf(InterruptedException.class);
  }
}
