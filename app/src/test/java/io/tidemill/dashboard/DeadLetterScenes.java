package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.Map;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// Letters that nobody could work off: why, and their way back.
abstract class DeadLetterScenes extends Scenes {
  private static final String BROKEN =
      """
      {"eventType":"workflow.created","eventId":"evt-1","timestamp":"2026-01-04T01:10:00.000Z","payload":{"workflowId":"%s","name":"Mended","steps":["validate"],"priority":"%s","createdAt":"2026-01-04T01:10:00.000Z","input":{"records":[]}}}\
      """;

  private Locator cause(String text) {
    return sight
        .main()
        .getByRole(AriaRole.LISTITEM)
        .filter(new Locator.FilterOptions().setHasText(text))
        .first();
  }

  @Test
  void aLetterIsInspectedMendedAndReallyWorkedOff() {
    mill.wire()
        .send(
            "workflows",
            "wf-mended",
            BROKEN.formatted("wf-mended", "urgent"),
            Map.of("origin", "a stranger"));
    mill.wire().flush();
    sight.open("dead?source=workflows&tab=letters");
    assertThat(sight.row("priority")).isVisible();
    sight.row("priority").click();
    assertThat(sight.main()).containsText("MALFORMED");
    assertThat(sight.main()).not().containsText("DEAD_LETTER");
    assertThat(sight.main()).containsText("a stranger"); // its headers
    assertThat(sight.main()).containsText("wf-mended");

    sight.press("Edit");
    var body = sight.main().getByLabel("Body");
    body.fill(BROKEN.formatted("wf-mended", "soon"));
    sight.press("Redrive as edited");
    assertThat(sight.main()).containsText("It does not fit.");
    assertThat(sight.main()).containsText("/payload/priority");
    body.fill(BROKEN.formatted("wf-mended", "high"));
    sight.press("Check");
    assertThat(sight.main()).containsText("It fits.");
    sight.press("Redrive as edited");
    assertThat(sight.main()).containsText("It is redriven.");

    sight.open("workflows/wf-mended");
    assertThat(sight.heading()).containsText("completed");
    sight.open("audit");
    assertThat(sight.row("/redrive")).containsText("ada");
  }

  @Test
  void lettersThatCanNotGoBackAreGroupedSaySoAndAreThrownAway() {
    for (int i = 0; i < 25; i++) mill.spoilJob("spoilt");
    sight.open("dead?source=jobs");
    var cause = cause("no field job_id");
    assertThat(cause).containsText("25");
    cause.getByText("Redrive").click();
    assertThat(sight.dialog()).containsText("can’t go back");
    page.keyboard().press("Escape");

    cause.getByText("Show").click();
    sight.rows().first().click();
    assertThat(sight.main()).containsText("spoilt");
    assertThat(sight.main()).containsText("MALFORMED");

    sight.press("Discard…");
    sight.answer("Discard it");
    assertThat(sight.main()).containsText("It is discarded.");
    sight.open("dead?source=jobs");
    cause("no field job_id").getByText("Discard…").click();
    sight.answer("Discard 24");
    assertThat(page).hasURL(Pattern.compile("dead/redrives/"));
    assertThat(sight.main()).containsText("done");
    sight.open("dead?source=jobs");
    assertThat(sight.main()).containsText("No dead letters");
  }

  @Test
  void allFiguresOfDeadLettersAgree() {
    mill.spoilJob("spoilt");
    mill.startCrawl(mill.site().url("/never/there"), 1);
    await().until(() -> waiting("jobs") > 0 && waiting("pages") > 0);
    sight.open("dead");
    var all = waiting("");

    assertThat(sight.button("Everywhere " + all)).isVisible();
    sight.open("overview");
    var figure = new Locator.FilterOptions().setHasText("Dead letters");
    assertThat(sight.region("Figures").locator(".figure").filter(figure))
        .hasText(Pattern.compile("Dead letters\\s*" + all));
    assertThat(sight.region("Contracts as they stand")).containsText("that crawls could not fetch");
    Assertions.assertThat(mill.get("/api/overview").path("dead").asLong()).isEqualTo(all);
  }

  // Of one source, or of all of them.
  private static long waiting(String source) {
    return mill.get("/api/dead/sources")
        .path("sources")
        .valueStream()
        .filter(each -> source.isEmpty() || each.path("name").asString("").equals(source))
        .mapToLong(each -> each.path("waiting").asLong())
        .sum();
  }

  @Test
  void aGroupIsRedrivenAfterADryRunAndItsPagesAreFetched() {
    for (int i = 0; i < 3; i++) mill.startCrawl(mill.site().url("/late/" + i), 1);
    sight.open("dead?source=pages&tab=letters");
    page.getByLabel("Text").fill("/late/");
    assertThat(page).hasURL(Pattern.compile("q=%2Flate"));
    assertThat(sight.rows()).hasCount(3);
    for (int i = 0; i < 3; i++) mill.site().publish("/late/" + i, "Late mill " + i);
    sight.press("Redrive all that match");
    assertThat(sight.dialog()).containsText("3 dead letters would go back");
    sight.answer("Redrive 3");

    assertThat(page).hasURL(Pattern.compile("dead/redrives/"));
    assertThat(sight.main()).containsText("done"); // without a reload
    assertThat(sight.rows()).hasCount(3);
    assertThat(sight.row("redriven")).isVisible();
    mill.awaitTotal("/api/search?q=late+mill", 3);
    sight.open("search?q=late+mill&site=127.0.0.1");
    assertThat(sight.main()).containsText("Late mill 2");
  }
}
