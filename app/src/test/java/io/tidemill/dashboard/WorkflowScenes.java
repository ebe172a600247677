package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// Workflows and tasks: begun, failed, begun again, called off.
abstract class WorkflowScenes extends Scenes {
  private static String input(String grain) {
    return "{\"records\":[{\"%s\":1}],\"validate\":{\"rules\":{\"corn\":{\"required\":true}},\"failOnInvalid\":true}}"
        .formatted(grain);
  }

  private Locator waterfall() {
    return sight.list("Steps and attempts");
  }

  @Test
  void aWorkflowFailsAndBeginsAgainFromAStepWithOtherInput() {
    sight.open("workflows");
    sight.press("Start a workflow");
    sight.dialog().getByLabel(Pattern.compile("^Name")).fill("Grain");
    sight.answer("+ transform");
    sight.answer("+ validate");
    sight.field("Input").fill(input("stone"));
    sight.answer("Start");

    assertThat(sight.heading()).containsText("Grain");
    assertThat(sight.heading()).containsText("failed");
    assertThat(waterfall()).containsText("1. transform");
    assertThat(sight.main()).containsText("VALIDATION_FAILED");
    sight.press("Retry");
    assertThat(page.getByText("It is retried from the step that failed.")).isVisible();
    assertThat(sight.heading()).containsText("failed");

    sight.press("Edit and retry");
    sight.field("Input").fill("{");
    sight.answer("Retry");
    assertThat(sight.dialog()).containsText("This is no JSON");
    sight.field("Input").fill(input("corn"));
    sight.field("Begin with").selectOption("0"); // records are read by the first step
    sight.answer("Retry");
    assertThat(sight.heading()).containsText("completed");
    assertThat(sight.main()).containsText("2 of 2");
    waterfall()
        .getByRole(AriaRole.BUTTON)
        .filter(new Locator.FilterOptions().setHasText("2. validate"))
        .click();
    assertThat(sight.region("Result of 2. validate")).containsText("validRecords");
  }

  @Test
  void aReportOpensThroughTheGateway() {
    var id = report("Mills");
    sight.open("tasks/" + id);

    var link = sight.main().getByRole(AriaRole.LINK).filter(text("Open the page"));
    var href = link.getAttribute("href");
    Assertions.assertThat(href).isEqualTo("/api/tasks/" + id + "/files/" + id + ".html");
    var file = page.request().get(mill.address() + href);
    Assertions.assertThat(file.status()).isEqualTo(200);
    Assertions.assertThat(file.text()).contains("<h1>Mills");
  }

  private static String report(String title) {
    var id =
        mill.post(
                "/api/tasks",
                "{\"type\":\"report_generation\",\"data\":{\"title\":\"%s\",\"records\":[{\"a\":1}]}}"
                    .formatted(title))
            .get("taskId")
            .stringValue();
    mill.awaitStatus("/api/tasks/" + id, "completed");
    return id;
  }

  @Test
  void aLinkToAFileAsksForAKeyAndGoesOn() {
    var id = report("Wheels");
    var context = newcomer(1360, 900);
    try (context;
        var own = new PageInspector(context, mill.address())) {
      own.page().navigate(mill.address() + "/api/tasks/" + id + "/files/" + id + ".html");
      own.page().getByLabel("API key").fill(DashboardProduct.VIEWER);
      var file =
          own.page()
              .waitForResponse(
                  answer -> answer.url().endsWith(".html") && answer.status() == 200,
                  () -> own.page().keyboard().press("Enter"));

      Assertions.assertThat(file.headers().get("content-security-policy")).startsWith("sandbox");
      assertThat(own.page()).hasURL(Pattern.compile("/api/tasks/.*/files/.*html$"));
    }
  }

  private static Locator.FilterOptions text(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  @Test
  void aWorkflowIsCanceledWhileItWaitsForItsCrawl() {
    var id =
        mill.post(
                "/api/workflows",
                "{\"name\":\"Never ends\",\"steps\":[\"crawl\"],\"priority\":\"low\",\"input\":{\"crawl\":{\"url\":\"%s\"}}}"
                    .formatted(mill.site().url("/slow/too")))
            .get("workflowId")
            .stringValue();
    sight.open("workflows/" + id);
    assertThat(sight.heading()).containsText("processing");
    sight.press("Cancel");
    sight.answer("Cancel the workflow");
    assertThat(sight.heading()).containsText("canceled");
  }

  @Test
  void aTaskIsBegunByAFormCountsDownAndIsCanceled() {
    sight.open("tasks");
    sight.press("Start a task");
    sight.answer("email notification");
    sight.answer("JSON");
    sight.field("Data").fill("{\"to\":\"ada@example.org\",\"subject\":\"s\",\"text\":\"t\"}");
    sight.answer("Start");

    assertThat(sight.heading()).containsText("retrying");
    assertThat(sight.main()).containsText(Pattern.compile("It is tried again in (2\\d|30) s"));
    assertThat(sight.main()).containsText("Attempt 1 failed");
    assertThat(sight.main()).containsText("SMTP_ERROR");
    sight.press("Cancel");
    sight.answer("Cancel the task");
    assertThat(sight.heading()).containsText("canceled");
    sight.open("tasks?status=canceled");
    assertThat(sight.row("email notification")).isVisible();
  }
}
