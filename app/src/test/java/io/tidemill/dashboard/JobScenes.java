package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import io.tidemill.json.Json;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Jobs from their form to their result, as it happens.
abstract class JobScenes extends Scenes {
  private void choose(String task) {
    sight.answer(task);
  }

  @Test
  void aJobIsSubmittedByAFormAndFollowedLive() {
    sight.settle("jobs");
    page.keyboard().press("n");
    sight.field("Tool").selectOption("sleep");
    var ms = sight.dialog().getByLabel(Pattern.compile("^ms"));
    ms.fill("-5");
    sight.answer("Submit");
    assertThat(sight.dialog().getByRole(AriaRole.ALERT)).containsText("ms must be at least 0");
    ms.fill("1500");
    sight.answer("Submit");

    assertThat(page).hasURL(Pattern.compile("#/jobs/[0-9a-f-]{36}"));
    assertThat(sight.heading()).containsText("running");
    assertThat(sight.main()).containsText(Pattern.compile("slept [0-9]+ ms"));
    assertThat(sight.heading()).containsText("done");
    assertThat(sight.main()).containsText("slept_ms");
    sight.follow("Trace");
    assertThat(sight.list("Spans")).containsText("tool sleep");
  }

  @Test
  void onlyTasksThatNeedAModelWarnThatNoneIsThere() {
    sight.open("jobs");
    sight.press("Submit a job");
    choose("chat");
    assertThat(sight.dialog()).containsText("NOT_CONFIGURED");
    choose("rag"); // it answers with passages
    assertThat(sight.dialog()).not().containsText("NOT_CONFIGURED");
    assertThat(sight.dialog()).containsText("the answer quotes the passages");
    sight.answer("Close");
  }

  @Test
  void aRunningJobIsCanceled() {
    var id = mill.submitTool("sleep", Json.object().put("ms", 60_000));
    sight.open("jobs/" + id);
    assertThat(sight.heading()).containsText("running");
    sight.press("Cancel");
    sight.answer("Cancel the job");

    assertThat(sight.heading()).containsText("canceled");
    assertThat(sight.main()).containsText("It was canceled");
  }

  @Test
  void whatTheModelSaysIsSeenWhileItSpeaks() {
    mill.model().says("The tide ", "comes ", FakeModel.PAUSE, "and goes.");
    sight.open("jobs");
    sight.press("Submit a job");
    choose("chat");
    sight.dialog().getByLabel(Pattern.compile("^prompt")).fill("What does the tide do?");
    sight.answer("Submit");

    assertThat(sight.main().getByText("The tide comes")).isVisible();
    assertThat(sight.heading()).containsText("running");
    mill.model().goOn();
    assertThat(sight.heading()).containsText("done");
    assertThat(sight.main().getByText("The tide comes and goes.").first()).isVisible();
    assertThat(sight.main()).containsText("ended by stop");
  }

  @Test
  void filesOfTheModelAreShownAndItsPlanBecomesAWorkflow() {
    mill.model().says("Here:\n```python count.py\n", "print(len('tide'))\n", "```\n");
    var code = mill.submit("code", Json.object().put("task", "count"));
    sight.open("jobs/" + code);
    assertThat(sight.main().getByText("count.py").first()).isVisible();
    assertThat(sight.main()).containsText("print(len('tide'))");

    mill.model().says("{\"name\":\"Planned by the model\",\"steps\":[\"validate\"]}");
    var plan = mill.submit("plan", Json.object().put("goal", "check it"));
    sight.open("jobs/" + plan);
    sight.press("Start this workflow");
    assertThat(sight.dialog().getByLabel(Pattern.compile("^Name")))
        .hasValue("Planned by the model");
    sight.answer("Start");
    assertThat(page).hasURL(Pattern.compile("#/workflows/"));
    assertThat(sight.heading()).containsText("Planned by the model");
    assertThat(sight.heading()).containsText("completed");
  }
}
