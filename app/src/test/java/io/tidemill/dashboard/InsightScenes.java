package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.tidemill.app.Product;
import io.tidemill.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What goes on beneath: messages, servers, traces, who did what; and the box that finds it all.
abstract class InsightScenes extends Scenes {
  @Test
  void contractsShowMessagesSeenOnTheWire() {
    mill.crawl(mill.site().publish("/wire", "Seen on the wire"), 1);
    sight.open("contracts");
    sight.main().getByText("crawl-request", new Locator.GetByTextOptions().setExact(true)).click();

    assertThat(sight.main()).containsText("fits its schema");
    assertThat(sight.region("A crawl-request seen on the wire")).containsText("\"url\"");
    assertThat(sight.region("Fields of crawl-request")).containsText("needed");
  }

  @Test
  void messagesOfKafkaAmqpAndRedisAreLookedAt() throws Exception {
    mill.crawl(mill.site().publish("/peek", "A peek"), 1);
    mill.wire().publish("crawler_queue", "this is no page", List.of("from a stranger"));
    mill.spoilJob("this is no job");
    mill.awaitSome("/api/dead?source=crawler_queue", "dead");
    mill.awaitSome("/api/dead?source=jobs", "dead");
    for (var seen :
        List.of(
            "crawl-requests ada@example.org",
            "crawler_queue.dead this is no page",
            "jobs:dead this is no job")) {
      var channel = seen.split(" ", 2)[0];
      sight.open("servers");
      sight.follow(channel);
      assertThat(sight.heading()).hasText(channel);
      sight.main().locator("summary").first().click();
      assertThat(sight.main()).containsText(seen.split(" ", 2)[1]);
    }
    page.goBack();
    assertThat(sight.heading()).hasText("Servers");
  }

  @Test
  void aTraceLeadsThroughEveryPartAndBackToItsObject() {
    var id = mill.crawl(mill.site().publish("/traced", "Traced"), 1);
    sight.open("crawls/" + id);
    sight.follow("Trace");
    var spans = sight.list("Spans");
    assertThat(spans).containsText("fetch");
    assertThat(spans).containsText("POST /api/crawls");
    spans.getByRole(AriaRole.BUTTON).first().click();
    assertThat(sight.region("Span")).containsText("gateway");
    sight.follow("crawl " + id);
    assertThat(sight.heading()).containsText("/traced");
    sight.open("traces");
    assertThat(sight.row("POST /api/crawls")).isVisible();
  }

  @Test
  void oneBoxFindsEverything() {
    var job = mill.submitTool("echo", Json.object().put("word", "quernstone"));
    var broken = mill.submit("tool", Json.object().put("millrace", 1));
    var crawl =
        mill.startCrawl(mill.site().publish("/findable", "Findable"), 1, "grace@example.org");
    find("quernstone", "#/jobs/" + job);
    find(job, "#/jobs/" + job);
    find("millrace", "#/jobs/" + broken); // a word of its error
    find("/findable", "#/crawls/" + crawl);
    find("grace@example.org", "#/crawls/" + crawl);
    find("zzzyxw", "#/search");

    // Who types on and presses Enter at once means the new words, not what the old ones found.
    page.getByLabel("Find anything").fill("qqxzvw");
    page.getByLabel("Find anything").press("Enter");
    assertThat(page).hasURL(Pattern.compile("#/search\\?q=qqxzvw"));
  }

  /// Types until the first thing that is found leads there: what came just now is found a moment
  /// later.
  private void find(String text, String address) {
    sight.open("overview");
    var box = page.getByLabel("Find anything");
    await()
        .atMost(Product.PATIENCE)
        .until(() -> {
          box.fill("");
          page.waitForResponse(
              answer -> answer.url().contains("/api/find?q=" + encoded(text)),
              () -> box.fill(text));
          page.getByRole(AriaRole.OPTION).first().waitFor();
          page.keyboard().press("Enter");
          return page.url().contains(address);
        });
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void theAuditSaysWhoDidWhat() {
    mill.post(
        "/api/workflows",
        "{\"name\":\"Audited\",\"steps\":[\"validate\"],\"priority\":\"low\",\"input\":{\"records\":[]}}");
    var job = mill.submitTool("sleep", Json.object().put("ms", 60_000));
    mill.post("/v1/jobs/" + job + "/cancel", "{}");
    sight.open("audit");
    assertThat(sight.row("/api/workflows")).containsText("ada");
    page.getByLabel("What", new Page.GetByLabelOptions().setExact(true)).fill("cancel");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("action=cancel"));
    assertThat(sight.row("/cancel")).containsText("200");
    assertThat(sight.rows().filter(new Locator.FilterOptions().setHasNotText("cancel")))
        .hasCount(0);
    sight.rows().first().click();
    assertThat(sight.dialog()).containsText("\"route\"");
    page.keyboard().press("Escape");
    mill.ask(DashboardProduct.VIEWER, "DELETE", "/api/crawls/none"); // who was not let
    sight.open("audit?who=vera");
    assertThat(sight.row("/api/crawls/none")).containsText("403");
  }
}
