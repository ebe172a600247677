package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Pages from the wish for them to what becomes of them: crawls, search, analytics.
abstract class CrawlScenes extends Scenes {
  private Locator status() {
    return sight.main();
  }

  @Test
  void aCrawlIsPreviewedStartedAndFollowed() throws IOException {
    for (int i = 0; i < 8; i++) mill.site().publish("/mills/" + i, "Tide mill " + i);
    mill.site().publish("/mills/9", "Links to nowhere", List.of("/mills/0", "/mills/gone"));
    sight.open("crawls");
    sight.press("New crawl");
    sight.field("URL").fill("not a url");
    sight.field("Owner").fill("ada@example.org");
    sight.answer("Start crawl");
    assertThat(sight.dialog().getByRole(AriaRole.ALERT)).containsText("URL must be");

    sight.field("URL").fill(mill.site().url("/mills/9"));
    sight.answer("Preview");
    assertThat(sight.dialog()).containsText("Links to nowhere");
    assertThat(sight.dialog()).containsText("2 links of 2 would be followed");
    sight.answer("Start crawl");

    assertThat(sight.heading()).containsText("/mills/9");
    assertThat(status()).containsText("completed"); // without a reload
    sight.tab("Pages").click();
    assertThat(sight.row("/mills/3")).containsText("Tide mill 3");
    sight.row("/mills/3").click();
    assertThat(sight.dialog()).containsText("fetched");
    page.keyboard().press("Escape");
    assertThat(sight.region("Progress")).containsText("Failed1"); // its label and its number
    assertThat(sight.tab("Errors")).hasCount(0); // one number for failed pages, not two
    sight.tab("Failed and skipped").click();
    sight.main().getByText("404").first().click();
    assertThat(sight.main()).containsText("/mills/gone");
    sight.tab("Result").click();
    sight.main().getByText("1 file with its pages").click();
    var batch = page.waitForDownload(() -> sight.follow("batch_000.json"));
    assertThat(Files.readString(batch.path())).contains("Tide mill 3");
    sight.tab("Events").click();
    assertThat(sight.row("completed")).isVisible();

    page.goBack();
    assertThat(sight.heading()).hasText("Crawls");
    assertThat(sight.row("/mills/9")).containsText("ada@example.org");
    assertThat(sight.row("/mills/9")).containsText("completed");
    page.goForward();
    assertThat(sight.heading()).containsText("/mills/9");
  }

  @Test
  void aCrawlThatWaitsForItsHostIsCanceled() {
    var id = mill.startCrawl(mill.site().url("/slow"), 5);
    sight.open("crawls/" + id);
    sight.tab("Hosts").click();
    assertThat(sight.main()).containsText("127.0.0.1");
    assertThat(sight.main()).containsText("Under way");
    sight.press("Cancel");
    sight.answer("Cancel the crawl");

    assertThat(status()).containsText("canceled");
    assertThat(sight.button("Cancel")).hasCount(0);
  }

  @Test
  void pagesAreFoundExplainedFetchedAgainAndRemoved() {
    var url = mill.site().publish("/eling/sluice", "The sluice of Eling");
    mill.site().publish("/eling/quay", "The quay of Eling");
    var crawl = mill.crawl(url, 2);
    sight.open("crawls/" + crawl);
    sight.follow("Search its pages");
    assertThat(sight.main().getByRole(AriaRole.LINK, named("Crawl$")).first())
        .hasAttribute("href", "#/crawls/" + crawl);
    sight.open("search");
    page.getByLabel("Search pages").fill("eling sluice");
    var hit = sight.main().getByRole(AriaRole.LISTITEM).filter(has("The sluice of Eling")).first();
    assertThat(hit.locator("mark").first()).isVisible();
    assertThat(page).hasURL(Pattern.compile("q=eling"));
    page.getByLabel("Say why").check();
    assertThat(hit.getByLabel("Why this page")).containsText("in the title");

    sight.main().getByRole(AriaRole.BUTTON, named("127.0.0.1")).first().click();
    assertThat(page).hasURL(Pattern.compile("site=127.0.0.1"));
    assertThat(hit).isVisible();
    hit.getByRole(AriaRole.LINK, named("Crawl$")).click(); // where it came from
    assertThat(sight.heading()).containsText("/eling/sluice");
    page.goBack();
    hit.getByRole(AriaRole.HEADING).getByRole(AriaRole.LINK).click();
    assertThat(sight.dialog()).containsText("The miller waits for the ebb");
    page.keyboard().press("Escape");

    hit.getByRole(AriaRole.BUTTON, named("Fetch again")).click();
    sight.field("Owner").fill("ada@example.org");
    sight.answer("Fetch again");
    assertThat(page.getByText("The page is being fetched again.")).isVisible();

    hit.getByRole(AriaRole.BUTTON, named("Remove")).click();
    sight.answer("Remove");
    assertThat(hit).containsText("being removed");
  }

  private static Locator.FilterOptions has(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  private static Locator.GetByRoleOptions named(String name) {
    return new Locator.GetByRoleOptions().setName(Pattern.compile("^" + name));
  }

  @Test
  void analyticsShowsChartsFiltersAndDownloads() throws IOException {
    for (int i = 0; i < 4; i++) mill.site().publish("/counted/" + i, "Counted mill " + i);
    mill.crawl(mill.site().url("/counted/0"), 4);
    sight.open("analytics");
    sight.row("web").click();
    assertThat(page.locator("canvas").first()).isVisible();
    assertThat(sight.row("Counted mill 1")).isVisible();

    page.getByLabel("Words in the text").fill("nowhere to be found");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("q=nowhere"));
    assertThat(sight.main()).containsText("No item fits these filters");
    sight.press("Clear the filter");
    sight.row("Counted mill 1").click();
    assertThat(sight.dialog()).containsText("Impact");
    page.keyboard().press("Escape");

    var download = page.waitForDownload(() -> sight.follow("CSV"));
    assertThat(Files.readString(download.path())).contains("Counted mill 1").contains("sentiment");
    var lines = page.waitForDownload(() -> sight.follow("NDJSON"));
    assertThat(Files.readAllLines(lines.path()))
        .hasSizeGreaterThan(3)
        .allMatch(line -> line.startsWith("{"));
  }
}
