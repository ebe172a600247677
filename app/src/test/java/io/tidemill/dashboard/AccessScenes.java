package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.tidemill.json.Json;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Who may come in, and what people may do there. Each test has a browser of its own, where nobody
/// is signed in.
abstract class AccessScenes extends Scenes {
  private static final String SUBMIT =
      """
      async () => (await fetch('/v1/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"task":"tool","payload":{"name":"echo"}}' })).status
      """;

  private BrowserContext own;
  private PageInspector stranger;

  @BeforeEach
  void comeInAnew() {
    own = newcomer(1360, 900);
    stranger = new PageInspector(own, mill.address());
  }

  @AfterEach
  void allWentWell() {
    stranger.assertWell();
    own.close();
  }

  private void enter(String key) {
    stranger.page().getByLabel("API key").fill(key);
    stranger.page().keyboard().press("Enter");
  }

  private Locator submit() {
    return stranger.button("Submit a job");
  }

  @Test
  void aWrongKeyStaysOutAndAnOperatorActs() {
    stranger.page().navigate(mill.address() + "/#/jobs");
    enter("wrong");
    assertThat(stranger.alert()).containsText("not known");
    enter(DashboardProduct.OPERATOR);
    assertThat(stranger.heading()).hasText("Jobs"); // where the address led
    assertThat(submit()).isEnabled();
    assertThat(stranger.page().getByText("otto")).isVisible();
    assertThat(audit()).hasCount(0);
    assertThat((String) stranger.page().evaluate("document.cookie")).isEmpty();

    stranger.button("Sign out").click();
    assertThat(stranger.heading()).hasText("Sign in");
    assertThat(stranger.page().evaluate(SUBMIT)).isEqualTo(401);
  }

  private Locator audit() {
    return stranger.nav().getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("Audit"));
  }

  @Test
  void aViewerLooksAndChangesNothing() {
    stranger.signIn(DashboardProduct.VIEWER);
    stranger.open("jobs");
    assertThat(submit()).isDisabled();
    assertThat(submit()).hasAttribute("title", Pattern.compile("needs the role operator"));
    assertThat(stranger.page().evaluate(SUBMIT)).isEqualTo(403);
    assertThat(audit()).hasCount(0);
    stranger.open("audit");
    assertThat(stranger.alert()).containsText("admin");
  }

  @Test
  void nobodyChangesAnythingWhereAllIsReadOnly() {
    stranger
        .page()
        .route(
            Pattern.compile("/api/session$"),
            route -> {
              var session = (ObjectNode) Json.parse(route.fetch().text());
              if (!session.path("role").isNull()) session.put("readOnly", true);
              route.fulfill(
                  new Route.FulfillOptions()
                      .setContentType("application/json")
                      .setBody(Json.text(session)));
            });
    own.addCookies(adasCookies());
    stranger.open("crawls");
    assertThat(stranger.page().getByText("read-only", new Page.GetByTextOptions().setExact(true)))
        .isVisible();
    assertThat(stranger.button("New crawl")).isDisabled();
    assertThat(stranger.button("New crawl")).hasAttribute("title", Pattern.compile("read-only"));
  }

  @Test
  void aSessionThatEndsMidViewLosesNothing() {
    stranger.signIn(DashboardProduct.ADMIN);
    stranger.settle("jobs");
    stranger.page().keyboard().press("n");
    stranger.answer("chat");
    var prompt = stranger.dialog().getByLabel(Pattern.compile("^prompt"));
    prompt.fill("What was I about to ask?");
    own.clearCookies();

    assertThat(stranger.page().getByText("Your session has ended")).isVisible(); // the view asked
    enter(DashboardProduct.ADMIN);
    assertThat(stranger.page().getByLabel("API key")).hasCount(0);
    assertThat(prompt).hasValue("What was I about to ask?");
    assertThat(stranger.heading()).hasText("Jobs");
  }

  @Test
  void theThemeOfOnesChoiceStays() {
    stranger.signIn(DashboardProduct.VIEWER);
    stranger.button("Theme: auto").click();
    stranger.button("Theme: light").click();
    assertThat(stranger.page().locator("html")).hasAttribute("data-theme", "dark");

    stranger.page().reload();
    assertThat(stranger.button("Theme: dark")).isVisible();
    assertThat(stranger.page().locator("html")).hasAttribute("data-theme", "dark");
  }
}
