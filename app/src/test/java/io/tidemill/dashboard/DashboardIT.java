package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.AriaRole;
import io.tidemill.contract.Json;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every view and what can be done in it, in a real browser on the running product.
class DashboardIT {
  @TempDir static Path folder;
  private static Chromium chromium;
  private static Mill mill;
  private Sight sight;
  private Page page;

  @BeforeAll
  static void start() throws Exception {
    chromium = Chromium.start();
    mill = Mill.start(folder);
    for (int i = 0; i < 12; i++) mill.publish("/mill-" + i, "Tide mill " + i);
    mill.startWorker();
  }

  @AfterAll
  static void stop() {
    if (mill != null) mill.close();
    if (chromium != null) chromium.close();
  }

  @BeforeEach
  void signIn() {
    sight = new Sight(chromium.browser(), mill.address());
    page = sight.page();
    sight.signIn(Mill.ADMIN);
  }

  @AfterEach
  void nothingWentWrong() {
    sight.assertWell();
    sight.close();
  }

  private Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private Locator row(String text) {
    return page.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText(text));
  }

  private void click(String name) {
    button(name).first().click();
  }

  private Locator dialog() {
    return page.locator("dialog[open]");
  }

  @Test
  void theOverviewIsLiveAndSaysWhichPartIsMissing() {
    sight.open("overview");
    assertThat(page.locator(".view-tools")).containsText("live");
    assertThat(page.locator(".role", hasText("worker"))).containsText("up");

    mill.killWorker();
    mill.post("/v1/jobs", "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"}}");
    assertThat(page.locator(".whys")).containsText("jobs:stream");
    assertThat(page.locator(".whys")).containsText("no consumer");
    assertThat(page.locator(".verdict"))
        .containsText(Pattern.compile("worker", Pattern.CASE_INSENSITIVE));

    mill.startWorker();
    assertThat(page.locator(".whys")).hasCount(0);
    assertThat(page.locator(".role", hasText("worker"))).containsText("up");
  }

  private static Page.LocatorOptions hasText(String text) {
    return new Page.LocatorOptions().setHasText(text);
  }

  @Test
  void aCrawlIsPreviewedStartedAndFollowed() {
    var url = mill.publish("/mill-0", "Tide mill 0");
    sight.open("crawls");
    click("New crawl");
    dialog().getByLabel("URL", new Locator.GetByLabelOptions().setExact(true)).fill("not a url");
    dialog().getByLabel("Owner").fill("ada@example.org");
    dialog().getByText("Start crawl").click();
    assertThat(dialog().locator(".fault")).containsText("URL must be");

    dialog().getByLabel("URL", new Locator.GetByLabelOptions().setExact(true)).fill(url);
    dialog().getByText("Preview").click();
    assertThat(dialog().locator("#crawl-preview")).containsText("Tide mill 0");
    dialog().getByText("Start crawl").click();

    assertThat(sight.heading()).containsText("/mill-0");
    assertThat(page.locator(".crawl-progress, main").first()).containsText("completed");
    page.getByRole(AriaRole.TAB, new Page.GetByRoleOptions().setName(Pattern.compile("^Pages")))
        .click();
    assertThat(page.getByRole(AriaRole.TABLE)).containsText("/mill-3");
    page.goBack();
    assertThat(sight.heading()).hasText("Crawls");
    assertThat(row("/mill-0").filter(new Locator.FilterOptions().setHasText("12")).first())
        .containsText("completed");
    page.goForward();
    assertThat(sight.heading()).containsText("/mill-0");
  }

  @Test
  void aCrawlIsCanceled() {
    mill.publish("/slow", "A site that nobody finishes");
    var id =
        mill.post(
                "/api/crawls",
                "{\"url\":\"http://127.0.0.2:9/\",\"email\":\"ada@example.org\",\"maxPages\":5}")
            .get("id")
            .stringValue();
    sight.open("crawls/" + id);
    if (button("Cancel").count() > 0) {
      click("Cancel");
      if (dialog().count() > 0) dialog().locator("button.danger, button.primary").first().click();
    }
    assertThat(page.locator("main")).containsText(Pattern.compile("canceled|failed"));
  }

  @Test
  void pagesAreFoundWhileOneTypesExplainedAndRemoved() {
    var url = mill.publish("/sluice", "The sluice of Eling");
    var crawl = mill.crawl(url, 1);
    sight.open("crawls/" + crawl);
    page.locator("main a", hasText("Search its pages")).click();
    assertThat(page.locator(".hit")).hasCount(1);
    assertThat(page.locator(".hit .origin a").first()).hasAttribute("href", "#/crawls/" + crawl);
    sight.open("search");
    page.getByLabel("Search pages").fill("eling sluice");
    var hit =
        page.locator("main").getByText("The sluice of", new Locator.GetByTextOptions()).first();
    assertThat(page.locator("main mark").first()).isVisible();
    assertThat(page).hasURL(Pattern.compile("q=eling"));
    page.getByLabel("Say why").check();
    assertThat(page.locator(".why").first()).containsText("in the title");
    assertThat(hit).isVisible();
    click("Remove");
    dialog().locator("button.danger").click();
    assertThat(page.locator("main")).containsText("being removed");
  }

  @Test
  void aWorkflowIsStartedFailsAndIsRetriedWithOtherInput() {
    sight.open("workflows");
    click("Start a workflow");
    dialog().getByLabel("Name").fill("Grain");
    dialog().locator("[data-step=validate]").click();
    dialog().locator("textarea[name=input]").fill(input("stone"));
    submit("Start");

    assertThat(sight.heading()).containsText("Grain");
    assertThat(sight.heading()).containsText("failed");
    assertThat(page.locator(".waterfall")).containsText("validate");
    assertThat(page.locator("main")).containsText("VALIDATION_FAILED");

    click("Edit and retry");
    dialog().locator("textarea[name=retry-input]").fill("{");
    submit("Retry");
    assertThat(dialog().locator(".fault").first()).isVisible();
    dialog().locator("textarea[name=retry-input]").fill(input("corn"));
    submit("Retry");
    assertThat(sight.heading()).containsText("completed");
  }

  private static String input(String grain) {
    return "{\"records\":[{\"%s\":1}],\"validate\":{\"rules\":{\"corn\":{\"required\":true}},\"failOnInvalid\":true}}"
        .formatted(grain);
  }

  private void submit(String name) {
    dialog()
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }

  @Test
  void aTaskCountsDownToItsNextAttempt() {
    var id =
        mill.post(
                "/api/tasks",
                "{\"type\":\"email_notification\",\"data\":{\"to\":\"ada@example.org\",\"subject\":\"s\",\"text\":\"t\"}}")
            .get("taskId")
            .stringValue();
    sight.open("tasks/" + id);

    assertThat(page.locator("main")).containsText("email_notification");
    assertThat(page.locator("main")).containsText(Pattern.compile("retrying|dead letter|failed"));
  }

  @Test
  void aJobIsSubmittedByAFormAndFollowedLive() {
    sight.open("jobs");
    assertThat(page.locator("main [data-new]")).isVisible();
    page.keyboard().press("n");
    dialog().locator("[data-task=tool]").click();
    dialog()
        .getByLabel("Tool", new Locator.GetByLabelOptions().setExact(true))
        .selectOption("sleep");
    dialog().locator("[name=ms]").fill("1500");
    submit("Submit");

    assertThat(page).hasURL(Pattern.compile("#/jobs/[0-9a-f-]{36}"));
    assertThat(page.locator("main")).containsText("running");
    assertThat(page.locator("main h1")).containsText("done");
    page.locator("main a", hasText("Trace")).first().click();
    assertThat(page.locator(".waterfall")).containsText("tool sleep");
  }

  @Test
  void wordsOfTheModelAreShownAsTheyCome() {
    var id = submit("chat", "{\"prompt\":\"What does a miller do?\"}");
    sight.open("jobs/" + id);
    assertThat(page.locator("[data-tokens]")).hasText("The miller waits ");
    mill.letItSpeak();
    assertThat(page.locator("[data-answer]")).hasText("The miller waits for the ebb.");
    assertThat(page.locator("[data-tokens]")).hasCount(0);

    var code = submit("code", "{\"task\":\"Write wc.py\"}");
    mill.letItSpeak();
    sight.open("jobs/" + code);
    assertThat(page.locator("[data-file='wc.py']")).containsText("print(42)");
  }

  private static String submit(String task, String payload) {
    var body = "{\"task\":\"%s\",\"payload\":%s}".formatted(task, payload);
    return mill.post("/v1/jobs", body).get("job_id").stringValue();
  }

  @Test
  void aSessionThatEndsLosesNothing() {
    sight.open("jobs");
    assertThat(page.locator("main [data-new]")).isVisible();
    page.keyboard().press("n");
    dialog().locator("[data-task=chat]").click();
    dialog().locator("[name=prompt]").fill("What was I about to ask?");
    page.context().clearCookies();

    assertThat(page.locator("dialog.expired")).containsText("Your session has ended");
    page.getByLabel("API key").fill(Mill.ADMIN);
    page.keyboard().press("Enter");

    assertThat(page.locator("dialog.expired")).hasCount(0);
    assertThat(dialog().locator("[name=prompt]")).hasValue("What was I about to ask?");
    assertThat(sight.heading()).hasText("Jobs");
  }

  @Test
  void aTabThatNobodySeesHoldsNoConnection() {
    sight.open("contracts");
    assertThat(sight.heading()).hasText("Contracts");
    var streams = new HashSet<Request>();
    page.onRequest(request -> {
      if (request.url().endsWith("/events")) streams.add(request);
    });
    page.onRequestFailed(streams::remove);
    page.onRequestFinished(streams::remove);
    sight.open("overview");
    page.waitForCondition(() -> streams.size() == 1);

    see(false);
    page.waitForCondition(streams::isEmpty);
    see(true);
    page.waitForCondition(() -> streams.size() == 1);
    sight.open("contracts");
    page.waitForCondition(streams::isEmpty);
  }

  private void see(boolean seen) {
    page.evaluate(
        """
        seen => {
          Object.defineProperty(document, 'hidden', { value: !seen, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }
        """,
        seen);
  }

  @Test
  void aRunningJobIsCanceled() {
    var id =
        mill.post(
                "/v1/jobs",
                "{\"task\":\"tool\",\"payload\":{\"name\":\"sleep\",\"arguments\":{\"ms\":60000}}}")
            .get("job_id")
            .stringValue();
    sight.open("jobs/" + id);
    assertThat(page.locator("main h1")).containsText("running");
    click("Cancel");
    if (dialog().count() > 0) dialog().locator("button.danger, button.primary").first().click();

    assertThat(page.locator("main h1")).containsText("canceled");
  }

  @Test
  void analyticsShowsChartsAndOffersDownloads() {
    mill.crawl(mill.publish("/mill-1", "Tide mill 1"), 12);
    sight.open("analytics/web");

    assertThat(page.locator("canvas").first()).isVisible();
    assertThat(page.locator("a[download]").first()).hasAttribute("href", Pattern.compile("csv"));
  }

  @Test
  void contractsShowMessagesSeenOnTheWire() {
    mill.crawl(mill.publish("/wire", "Seen on the wire"), 1);
    sight.open("contracts");
    var message = page.locator("#message-crawl-request");
    message.locator("summary").first().click();

    assertThat(message).containsText("fits its schema");
    assertThat(message).containsText("\"url\"");
  }

  @Test
  void serversLetOneLookAtMessages() {
    mill.crawl(mill.publish("/peek", "A peek"), 1);
    sight.open("servers");
    page.getByRole(
            AriaRole.LINK, new Page.GetByRoleOptions().setName("crawl-requests").setExact(true))
        .click();
    page.locator(".message summary").first().click();

    assertThat(page.locator(".message").first()).containsText("ada@example.org");
    page.goBack();
    assertThat(sight.heading()).hasText("Servers");
  }

  @Test
  void deadLettersAreGroupedMendedAndRedriven() {
    mill.spoilJobs(25, "spoilt");
    sight.open("dead?source=jobs");
    var cause = page.locator(".causes .card", hasText("no field job_id"));
    assertThat(cause).isVisible();
    cause.getByText("Redrive").click();
    assertThat(dialog()).containsText("can’t go back");
    page.keyboard().press("Escape");

    cause.getByText("Show").click();
    assertThat(page.locator(".t-body [role=row]").first()).isVisible();
    page.locator(".t-body [role=row]").first().click();
    assertThat(page.locator("main")).containsText("spoilt");
    assertThat(page.locator("main")).containsText("MALFORMED");
  }

  @Test
  void pagesThatCouldNotBeFetchedAreRedrivenTogether() {
    var url = mill.publish("/broken", "Links to nowhere");
    mill.post(
        "/api/crawls",
        "{\"url\":\"%s\",\"email\":\"ada@example.org\"}"
            .formatted(url.replace("/broken", "/nowhere")));
    sight.open("dead?source=pages&tab=letters");
    assertThat(page.locator(".t-body [role=row]").first()).isVisible();
    click("Redrive all that match");
    dialog().locator("tm-action button").click();

    assertThat(page).hasURL(Pattern.compile("dead/redrives/"));
    assertThat(page.locator("main")).containsText("done");
  }

  @Test
  void oneBoxFindsEverything() {
    var id =
        mill.post(
                "/v1/jobs",
                "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\",\"arguments\":{\"word\":\"quernstone\"}}}")
            .get("job_id")
            .stringValue();
    sight.open("overview");
    page.keyboard().press("/");
    sight.findUntil("quernstone", id);
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("#/jobs/" + id));

    // Who types on and presses Enter at once means the new words, not what the old ones found.
    page.getByLabel("Find anything").fill("quernstone of nobody");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("#/(search\\?q=quernstone\\+of|jobs)"));
    assertThat(page.getByLabel("Find anything")).hasValue("quernstone of nobody");
  }

  @Test
  void theAuditSaysWhoDidWhat() {
    mill.post(
        "/api/workflows",
        "{\"name\":\"Audited\",\"steps\":[\"validate\"],\"priority\":\"low\",\"input\":{\"records\":[]}}");
    sight.open("audit");

    assertThat(page.getByRole(AriaRole.TABLE)).containsText("/api/workflows");
    assertThat(page.getByRole(AriaRole.TABLE)).containsText("ada");
  }

  @Test
  void tenThousandRowsStaySmooth() {
    var jobs = Json.object();
    var rows = jobs.putArray("jobs");
    for (int i = 0; i < 10_000; i++) {
      rows.addObject()
          .put("job_id", "job-" + i)
          .put("task", "tool")
          .put("status", "done")
          .put("created_at", 1)
          .put("updated_at", 2);
    }
    jobs.put("total", 10_000);
    page.route(
        Pattern.compile("/v1/jobs\\?"),
        route ->
            route.fulfill(
                new com.microsoft.playwright.Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(Json.text(jobs))));
    sight.open("jobs");
    assertThat(row("job-0").first()).isVisible();

    page.locator(".t-body [role=row]").first().focus();
    page.keyboard().press("End");

    assertThat(row("job-9999")).isVisible();
    assertThat(page.locator(".t-body [role=row]").count()).isLessThan(120);

    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("#/jobs/job-9999"));
    assertThat(page.locator(".note.bad")).isVisible();
    page.goBack();
    assertThat(row("job-9999")).isVisible();
  }

  @Test
  void aGatewayThatIsAwayIsSaidAndComesBack() {
    sight.open("jobs");
    assertThat(sight.heading()).hasText("Jobs");
    assertThat(page.locator("main .table, main .empty").first()).isVisible();
    page.context().setOffline(true);
    assertThat(page.locator(".banner")).containsText("does not answer");

    page.context().setOffline(false);
    assertThat(page.locator(".banner")).hasCount(0);
  }

  @Test
  void everythingCanBeDoneByKeys() {
    mill.post("/v1/jobs", "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"}}");
    sight.open("overview");
    page.keyboard().press("g");
    page.keyboard().press("j");
    assertThat(sight.heading()).hasText("Jobs");
    assertThat(page.locator(".t-body [role=row]").first()).isVisible();
    for (int i = 0; i < 60 && !sight.isFocused(".t-body [role=row]"); i++)
      page.keyboard().press("Tab");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("#/jobs/."));
    page.keyboard().press("?");
    assertThat(dialog()).containsText("Find anything");
    page.keyboard().press("Escape");
    assertThat(dialog()).hasCount(0);
  }

  @Test
  void emptyListsSayWhatToDo() {
    sight.open("tasks?status=canceled");
    assertThat(page.locator(".empty")).isVisible();
    sight.open("jobs/00000000-0000-0000-0000-000000000000");
    assertThat(page.locator(".note.bad")).isVisible();
    sight.open("nowhere");
    assertThat(sight.heading()).hasText("Not found");
  }

  @Test
  void theFirstViewIsSmall() {
    assertThat(sight.transferredByFirstView()).isBetween(10_000L, 300_000L);
    assertThat(sight.modulesFoundLate()).as("modules that the page does not name").isEmpty();
  }

  @Test
  void nobodyIsKeptOut() throws Exception {
    mill.crawl(mill.publish("/mill-2", "Tide mill 2"), 4);
    for (var scheme : com.microsoft.playwright.options.ColorScheme.values()) {
      if (scheme == com.microsoft.playwright.options.ColorScheme.NO_PREFERENCE) continue;
      sight.theme(scheme);
      for (var view :
          List.of(
              "overview",
              "crawls",
              "search?q=mill",
              "workflows",
              "tasks",
              "jobs",
              "analytics/web",
              "dead",
              "traces",
              "contracts",
              "servers",
              "audit")) {
        sight.open(view);
        page.waitForLoadState();
        assertThat(sight.barriers()).as(view + " " + scheme).isEmpty();
      }
    }
  }
}
