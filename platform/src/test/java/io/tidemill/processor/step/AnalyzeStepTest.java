package io.tidemill.processor.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.json.Json;
import org.junit.jupiter.api.Test;

class AnalyzeStepTest {
  private static final AnalyzeStep STEP = new AnalyzeStep(new LanguageDetector());
  private static final String ENGLISH =
      "The lighthouse keeper looked at the sea. The lighthouse was old and the sea was rough.";
  private static final String GERMAN =
      "Der Bäcker backt das Brot am frühen Morgen. Das Brot ist frisch und der Bäcker ist müde.";

  @Test
  void profilesFields() throws Exception {
    var done =
        MemoryCall.of(
                "{}",
                "{\"id\":1,\"price\":1.5,\"kind\":\"a\"}",
                "{\"id\":2,\"price\":2.5,\"kind\":\"a\"}",
                "{\"id\":3,\"price\":10,\"kind\":\"b\",\"note\":null}",
                "{\"id\":4,\"price\":\"free\",\"kind\":\"a\"}")
            .done(STEP);
    var price = done.result().at("/fields/price");

    assertThat(done.counts()).isEqualTo(Counts.all(4));
    assertThat(Json.text(price.get("types"))).isEqualTo("{\"number\":3,\"string\":1}");
    assertThat(price.get("min").decimalValue()).isEqualByComparingTo("1.5");
    assertThat(price.get("max").decimalValue()).isEqualByComparingTo("10");
    assertThat(price.get("median").decimalValue()).isEqualByComparingTo("2.5");
    assertThat(Json.text(done.result().at("/fields/kind/top/0")))
        .isEqualTo("{\"value\":\"a\",\"count\":3}");
    assertThat(done.result().at("/fields/note/missing").asInt()).isEqualTo(3);
    assertThat(done.result().at("/fields/id/distinct").asInt()).isEqualTo(4);
  }

  @Test
  void leavesOutNumbersThatAreTooLargeToCalculateWith() throws Exception {
    var done =
        MemoryCall.of(
                "{}",
                "{\"n\":1e350}",
                "{\"n\":-1e350}",
                "{\"n\":%s}".formatted("9".repeat(310)),
                "{\"n\":3}",
                "{\"n\":4}")
            .done(STEP);
    var profile = done.result().at("/fields/n");

    assertThat(Json.text(profile.get("types"))).isEqualTo("{\"number\":5}");
    assertThat(profile.get("distinct").asInt()).isEqualTo(5);
    assertThat(profile.get("max").asInt()).isEqualTo(4);
    assertThat(profile.get("mean").asDouble()).isEqualTo(3.5);
  }

  @Test
  void findsTheMeanOfNumbersThatAreFarApart() throws Exception {
    var done = MemoryCall.of("{}", "{\"n\":1.5e308}", "{\"n\":-1.5e308}").done(STEP);

    assertThat(done.result().at("/fields/n/mean").asDouble()).isZero();
  }

  @Test
  void tellsLanguagesAndKeywords() throws Exception {
    var done =
        MemoryCall.of(
                "{\"annotate\":true}",
                Json.text(Json.object().put("text", ENGLISH)),
                Json.text(Json.object().put("content", GERMAN)),
                "{\"other\":1}")
            .done(STEP);
    var text = done.result().get("text");
    var records = MemoryCall.texts(done.output());

    assertThat(Json.text(text.get("languages"))).contains("\"en\":1", "\"de\":1");
    assertThat(text.get("keywords").findValuesAsString("word"))
        .contains("lighthouse", "sea", "brot", "bäcker")
        .doesNotContain("the", "der", "und");
    assertThat(text.get("words").asInt()).isEqualTo(33);
    assertThat(Json.parse(records.get(0)).get("language").asString()).isEqualTo("en");
    assertThat(records.get(0)).contains("\"keywords\":[\"lighthouse\",\"sea\"");
    assertThat(records.get(1)).contains("\"language\":\"de\"");
    assertThat(records.get(2)).isEqualTo("{\"other\":1}");
  }

  @Test
  void passesRecordsOnAsTheyAre() throws Exception {
    var call = MemoryCall.of("{}", "{\"text\":\"x\"}", "7");

    var done = call.done(STEP);

    assertThat(MemoryCall.texts(done.output())).containsExactly("{\"text\":\"x\"}", "7");
    assertThat(done.result().get("recordsThatAreNoObjects").asInt()).isEqualTo(1);
  }

  @Test
  void estimatesWhatIsTooMuchToCount() throws Exception {
    var done =
        MemoryCall.many(
                "{}",
                100_000,
                i ->
                    Json.object()
                        .put("id", "id-" + i)
                        .put("n", i)
                        .put("kind", i % 10 == 0 ? "often" : "k" + i % 5_000))
            .done(STEP);

    assertThat(done.result().at("/fields/id/distinct").asDouble())
        .isCloseTo(100_000, within(12_000.0));
    assertThat(done.result().at("/fields/id/distinctIsEstimate").asBoolean()).isTrue();
    assertThat(done.result().at("/fields/id/top").isMissingNode()).isTrue();
    assertThat(done.result().at("/fields/n/median").asDouble()).isCloseTo(50_000, within(5_000.0));
    assertThat(done.result().at("/fields/n/mean").asDouble()).isCloseTo(50_000.5, within(0.01));
    assertThat(done.result().at("/fields/kind/top/0/value").asString()).isEqualTo("often");
    assertThat(done.result().at("/fields/kind/top/0/count").asInt())
        .isLessThanOrEqualTo(10_000)
        .isGreaterThan(9_000);
  }

  @Test
  void itsResultIsNeverTooLarge() throws Exception {
    var done =
        MemoryCall.many(
                "{\"top\":50}",
                200,
                i -> {
                  var record = Json.object();
                  for (var f = 0; f < 300; f++) {
                    record.put("\u0001".repeat(90) + f, "\u0001".repeat(80) + i % 40);
                  }
                  return record;
                })
            .done(STEP);

    assertThat(Json.bytes(done.result())).hasSizeLessThan(64 * 1024);
    assertThat(done.result().get("moreFields").asBoolean()).isTrue();
  }

  @Test
  void saysWhatIsWrongWithItsOptions() {
    assertThatThrownBy(() -> MemoryCall.of("{\"top\":\"many\"}").done(STEP))
        .isInstanceOf(WorkFailure.class)
        .hasMessage("analyze: option top must be a whole number from 0 to 50");
  }
}
