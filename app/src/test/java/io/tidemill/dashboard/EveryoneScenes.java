package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.tidemill.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// For everybody, whatever they have: no mouse, a phone, other eyes, a long list, a stale link.
abstract class EveryoneScenes extends Scenes {
  private static final List<String> VIEWS =
      List.of(
          "overview",
          "crawls",
          "search?q=mill",
          "workflows",
          "tasks",
          "jobs",
          "analytics",
          "analytics/web",
          "dead",
          "dead?tab=letters",
          "dead?tab=redrives",
          "traces",
          "contracts",
          "servers",
          "audit");

  /// Every list, and one of each that is in them.
  private static List<String> views() {
    var views = new ArrayList<>(VIEWS);
    views.add("crawls/" + first("/api/crawls", "crawls", "id"));
    views.add("workflows/" + first("/api/workflows", "workflows", "workflowId"));
    views.add("tasks/" + first("/api/tasks", "tasks", "taskId"));
    views.add("jobs/" + first("/v1/jobs", "jobs", "job_id"));
    views.add("dead/" + first("/api/dead?source=all", "dead", "id"));
    views.add("dead/redrives/" + first("/api/dead/redrives", "redrives", "id"));
    views.add("traces/" + first("/api/traces", "traces", "traceId"));
    views.add("servers/kafka/crawl-requests");
    return views;
  }

  private static String first(String path, String list, String id) {
    return mill.get(path).path(list).path(0).path(id).asString();
  }

  @Test
  void nothingBarsTheWayByDay() throws Exception {
    anew();
    sight.theme(ColorScheme.LIGHT);
    for (var view : views()) {
      sight.settle(view);
      assertThat(sight.barriers()).as(view).isEmpty();
    }
    sight.theme(ColorScheme.DARK);
    sight.settle("overview");
    assertThat(sight.barriers()).as("overview by night").isEmpty();
  }

  @Test
  void nothingBarsTheWayByNightOnAPhone() throws Exception {
    anew();
    page.setViewportSize(390, 844);
    sight.theme(ColorScheme.DARK);
    for (var view : views()) {
      sight.settle(view);
      assertThat(sight.barriers()).as(view + " on a phone").isEmpty();
      assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
          .as(view + " is as wide as the phone")
          .isLessThanOrEqualTo(390);
    }
    sight.button("Menu").click();
    sight.nav().getByText("Jobs").click();
    assertThat(sight.heading()).hasText("Jobs");
  }

  @Test
  void everythingCanBeDoneByKeys() {
    var id = mill.submitTool("echo", Json.object());
    sight.settle("overview");
    page.keyboard().press("g");
    page.keyboard().press("j");
    assertThat(sight.heading()).hasText("Jobs");
    assertThat(sight.rows().first()).isVisible();
    for (int i = 0; i < 60 && !sight.isFocused("[role=row]"); i++) page.keyboard().press("Tab");
    page.keyboard().press("ArrowDown");
    page.keyboard().press("ArrowUp");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("#/jobs/" + id));
    page.keyboard().press("?");
    assertThat(sight.dialog()).containsText("Find anything");
    page.keyboard().press("Escape");
    assertThat(sight.dialog()).hasCount(0);
  }

  @Test
  void tenThousandRowsStaySmooth() {
    anew();
    page.route(Pattern.compile("/v1/jobs\\?"), EveryoneScenes::manyJobs);
    sight.open("jobs");
    assertThat(sight.row("job-0 ")).isVisible();
    sight.rows().first().focus();
    for (int i = 0; i < 40 && sight.row("job-9999").count() == 0; i++) {
      page.keyboard().press("End");
    }

    assertThat(sight.row("job-9999")).isVisible();
    assertThat(sight.rows().count()).isLessThan(120);
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("#/jobs/job-9999"));
    assertThat(sight.alert()).isVisible();
    page.goBack();
    assertThat(sight.row("job-9999")).isVisible();
    var gap =
        (Number)
            page.evaluate(
                """
                async () => {
                  let body = document.querySelector('main [role=row][tabindex]');
                  while (body.scrollHeight <= body.clientHeight || getComputedStyle(body).overflowY === 'visible') body = body.parentElement;
                  const gaps = [];
                  for (let at = 0, before = performance.now(); at < 30; at++) {
                    body.scrollTop = ((at * 17) % 30) / 30 * body.scrollHeight;
                    await new Promise(requestAnimationFrame);
                    gaps.push(performance.now() - before);
                    before = performance.now();
                  }
                  return gaps.sort((one, other) => one - other)[gaps.length / 2];
                }
                """);
    assertThat(gap.doubleValue()).as("milliseconds between two pictures").isLessThan(100);
  }

  /// Ten thousand jobs, page by page as the gateway gives them.
  private static void manyJobs(Route route) {
    var query = URI.create(route.request().url()).getQuery();
    var limit = Integer.parseInt(query.replaceAll(".*limit=(\\d+).*", "$1"));
    var from =
        query.contains("before=")
            ? Integer.parseInt(query.replaceAll(".*before=(\\d+).*", "$1"))
            : 0;
    var to = Math.min(10_000, from + limit);
    var page = Json.object().put("total", 10_000);
    var rows = page.putArray("jobs");
    for (int i = from; i < to; i++) {
      rows.addObject()
          .put("job_id", "job-" + i + (i < 10 ? " " : ""))
          .put("task", "tool")
          .put("status", "done")
          .put("created_at", 20_000 - i)
          .put("updated_at", 20_000);
    }
    if (to < 10_000) page.put("next", String.valueOf(to));
    route.fulfill(
        new Route.FulfillOptions().setContentType("application/json").setBody(Json.text(page)));
  }

  @Test
  void emptyListsSayWhatToDo() {
    sight.open("tasks?status=processing");
    assertThat(sight.main()).containsText("No task is like that");
    sight.press("Show all");
    assertThat(sight.rows().first()).isVisible();
    sight.open("search?q=zzzyxw");
    assertThat(sight.main()).containsText("No page fits");
    sight.open("dead?source=analytics.data.collected");
    assertThat(sight.main()).containsText("No dead letters");
  }

  @Test
  void linksThatLeadNowhereSaySo() {
    for (var view :
        List.of(
            "jobs/00000000-0000-0000-0000-000000000000",
            "jobs/%E0%A4%A",
            "crawls/none",
            "workflows/none",
            "tasks/none",
            "analytics/none",
            "dead/none",
            "dead/redrives/none",
            "traces/none",
            "servers/kafka/none",
            "servers/none/none")) {
      sight.open(view);
      assertThat(sight.alert()).isVisible();
    }
    sight.open("nowhere/at?all");
    assertThat(sight.heading()).hasText("Not found");
  }

  @Test
  void aFailureIsSaidAndCanBeTriedAgain() {
    anew();
    page.route(
        Pattern.compile("/api/crawls\\?"),
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setStatus(503)
                    .setContentType("application/problem+json")
                    .setBody("{\"title\":\"Unavailable\",\"detail\":\"Redis does not answer\"}")));
    sight.open("crawls");
    assertThat(sight.alert()).containsText("Redis does not answer");
    page.unrouteAll();
    // Unless the view tried again by itself meanwhile.
    page.evaluate("document.querySelector('main [role=alert] button')?.click()");
    assertThat(sight.rows().first()).isVisible();
  }
}
