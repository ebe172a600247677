package io.tidemill.worker.ai;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.INTEGER;

import io.tidemill.contract.workflow.StepForms;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCheckTest {
  private static final String PLAN =
      "{\"name\":\"Crawl it\",\"steps\":[\"crawl\",\"index\"],"
          + "\"input\":{\"crawl\":{\"url\":\"https://example.org/{x}\",\"timeout\":\"10m\"}}}";

  private final PlanCheck check = new PlanCheck(Set.of("shout"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "```json\n%s\n```",
        "Sure! Here it is {as asked}:\n\n%s\n\nThe \"brace\" } is not mine.",
        "{\"workflow\":%s}",
        "{\"thought\":\"a } in a text\"} %s"
      })
  void findsTheWorkflowInWhatIsWrittenAroundIt(String answer) throws Exception {
    assertThat(check.workflow(answer.formatted(PLAN))).hasToString(PLAN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "I can't do that. | no JSON object with steps",
        "{\"steps\":[\"crawl\" | no JSON object with steps",
        "{\"name\":\"ab\",\"steps\":[\"crawl\"]} | name must have 3 to 100 characters",
        "{\"name\":\"abc\",\"steps\":[{\"name\":\"crawl\"}]} | steps must have only texts",
        "{\"name\":\"abc\",\"steps\":[]} | steps must be a list that is not empty",
        "{\"name\":\"abc\",\"steps\":[\"fly\"]} | steps has 'fly', which is not known: expected analyze,",
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"priority\":\"urgent\"} | priority must be one of",
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"why\":\"x\"} | why is not known",
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"input\":{\"crawled\":1}} | input has 'crawled'",
        "{\"name\":\"abc\",\"steps\":[\"store\"],\"input\":{\"store\":\"csv\"}} | input.store must be an object",
        "{\"name\":\"abc\",\"steps\":[\"store\"],\"input\":{\"store\":{\"fmt\":1}}} | input.store.fmt is not known: expected to, format",
        "{\"name\":\"abc\",\"steps\":[\"store\"],\"input\":{\"0.store\":{\"fmt\":1}}} | input.0.store.fmt is not known",
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"input\":{\"index\":{\"a\":1}}} | input.index.a is not known: expected none",
      })
  void saysWhatIsWrong(String answer, String why) {
    assertThatThrownBy(() -> check.workflow(answer))
        .isInstanceOf(PlanCheck.Invalid.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"%s\":1}",
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"input\":{\"%s\":1}}",
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"input\":{\"index\":{\"%s\":1}}}",
      })
  void quotesNoNameAtFullLength(String plan) { // an event has no room for it
    assertThatThrownBy(() -> check.workflow(plan.formatted("🌊".repeat(10_000))))
        .isInstanceOf(PlanCheck.Invalid.class)
        .hasMessageContaining("🌊".repeat(200) + "…")
        .extracting(why -> String.valueOf(why.getMessage()).length(), as(INTEGER))
        .isLessThan(1_000);
  }

  @Test
  void listsNoBookOfKnownSteps() {
    var many = IntStream.range(0, 20_000).mapToObj(i -> "step" + i).collect(Collectors.toSet());

    assertThatThrownBy(() -> new PlanCheck(many).workflow("{\"name\":\"abc\",\"steps\":[\"fly\"]}"))
        .hasMessageContaining("'fly', which is not known")
        .extracting(why -> String.valueOf(why.getMessage()).length(), as(INTEGER))
        .isLessThan(10_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\":\"abc\",\"steps\":[\"shout\"],\"input\":{\"shout\":{\"loud\":1}}}",
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"input\":{\"crawl\":\"some-id\"}}",
        "{\"name\":\"abc\",\"steps\":[\"index\"],\"input\":null}",
        "{\"name\":\"abc\",\"steps\":[\"export\"],\"input\":{\"search\":\"x\",\"limit\":5}}"
      })
  void letsPassWhatCanRun(String plan) throws Exception {
    assertThat(check.workflow(plan)).hasToString(plan);
  }

  @Test
  void thePromptNamesEveryStepAndOption() {
    var prompt = PlanPrompt.system(Map.of("shout", "makes records loud"));

    assertThat(prompt).contains("- shout: makes records loud");
    for (var form : StepForms.ALL) {
      assertThat(prompt).contains("- " + form.name() + ": ");
      form.optionNames().forEach(option -> assertThat(prompt).contains("  - " + option + ": "));
    }
  }
}
