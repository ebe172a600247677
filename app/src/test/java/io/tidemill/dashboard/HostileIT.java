package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.tidemill.contract.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What strangers write is shown as text, and people do what their role lets them (F54).
class HostileIT {
  private static final List<String> OWN =
      List.of(
          "<img src=x onerror=alert(1)>",
          "<script>alert(1)</script>",
          "\"><svg onload=alert(1)>",
          "javascript:alert(1)",
          "${alert(1)}{{alert(1)}}",
          "<a href=\"javascript:alert(1)\">x</a>");

  @TempDir static Path folder;
  private static Chromium chromium;
  private static Mill mill;

  @BeforeAll
  static void start() throws Exception {
    chromium = Chromium.start();
    mill = Mill.start(folder);
    mill.startWorker();
  }

  @AfterAll
  static void stop() {
    if (mill != null) mill.close();
    if (chromium != null) chromium.close();
  }

  /// Our own strings, and those of the corpus where it is there.
  private static List<String> strings() throws IOException {
    var all = new ArrayList<>(OWN);
    var corpus = Path.of("..", "..", "shared", "corpora", "hostile", "xss-strings.jsonl");
    if (Files.exists(corpus)) {
      for (var line : Files.readAllLines(corpus))
        all.add(Json.parse(line).get("payload").asString(""));
    }
    return all;
  }

  @Test
  void whatStrangersWriteIsShownAsText() throws Exception {
    var strings = strings();
    var job = "";
    var workflow = "";
    for (int from = 0; from < strings.size(); from += 100) {
      var some = strings.subList(from, Math.min(strings.size(), from + 100));
      var texts = Json.object();
      var list = texts.putArray("texts");
      some.forEach(list::add);
      var call = Json.object().put("task", "tool");
      call.putObject("payload").put("name", "echo").set("arguments", texts);
      job = mill.post("/v1/jobs", Json.text(call)).get("job_id").stringValue();
      var flow = Json.object().put("name", name(some.getFirst())).put("priority", "high");
      flow.putArray("steps").add("validate").add(name(some.getLast()));
      flow.putObject("input").set("records", texts.get("texts"));
      workflow = mill.post("/api/workflows", Json.text(flow)).get("workflowId").stringValue();
      mill.spoilJobs(1, String.join("\n", some));
      publish(some, from);
    }
    mill.crawl(mill.publish("/", "All of them"), 100);

    try (var sight = new Sight(chromium.browser(), mill.address())) {
      sight.signIn(Mill.ADMIN);
      var page = sight.page();
      sight.open("jobs/" + job);
      assertThat(page.locator("main")).containsText("done");
      sight.open("workflows/" + workflow);
      assertThat(page.locator("main")).containsText("UNKNOWN_STEP");
      for (var view :
          List.of(
              "workflows",
              "jobs",
              "dead?source=jobs",
              "dead?source=jobs&tab=letters",
              "crawls",
              "search?q=tide&explain=true",
              "traces",
              "contracts",
              "audit",
              "analytics/web",
              "servers/redis/jobs:dead",
              "servers/kafka/workflows")) {
        sight.open(view);
        assertThat(page.locator("[aria-busy=true]:visible")).hasCount(0);
        page.locator("summary")
            .all()
            .forEach(summary -> {
              if (summary.isVisible()) summary.click();
            });
      }
      sight.open("overview");
      var box = page.getByLabel("Find anything");
      for (var text : OWN) {
        box.fill(text);
        assertThat(page.locator("#found [role=option]").first()).isVisible();
      }
      assertThat(page.evaluate("window.hacked ?? null")).isNull();
      sight.assertWell();
    }
  }

  /// As long as a name may be.
  private static String name(String text) {
    var line = ("a " + text.replaceAll("\\p{Cntrl}", " ") + " z").strip();
    return line.substring(0, Math.min(line.length(), 99));
  }

  private static void publish(List<String> some, int from) {
    mill.publish("/hostile-" + from, String.join(" ", some.subList(0, Math.min(5, some.size()))));
  }

  @Test
  void aViewerLooksAndAnOperatorActs() {
    mill.post("/v1/jobs", "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"}}");
    try (var sight = new Sight(chromium.browser(), mill.address())) {
      var page = sight.page();
      page.navigate(mill.address() + "/#/jobs");
      page.getByLabel("API key").fill("wrong");
      page.keyboard().press("Enter");
      assertThat(page.locator(".fault")).containsText("not known");

      page.getByLabel("API key").fill(Mill.VIEWER);
      page.keyboard().press("Enter");
      assertThat(sight.heading()).hasText("Jobs");
      var start = page.locator("tm-action button").first();
      assertThat(start).isDisabled();
      assertThat(start).hasAttribute("title", Pattern.compile("needs the role operator"));
      assertThat(page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Audit")))
          .hasCount(0);
      assertThat((String) page.evaluate("document.cookie")).isEmpty();

      page.getByText("Sign out").click();
      page.getByLabel("API key").fill(Mill.OPERATOR);
      page.keyboard().press("Enter");
      assertThat(page.locator("tm-action button").first()).isEnabled();
      sight.assertWell();
    }
  }
}
