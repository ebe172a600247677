package io.tidemill.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.AriaRole;
import io.tidemill.json.Json;
import java.util.HashSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Everything at one look, and what it says when a part goes away and comes back.
abstract class OverviewScenes extends Scenes {
  private Locator verdict() {
    return sight.main().getByRole(AriaRole.STATUS).first();
  }

  private Locator role(String name) {
    return sight.heading(Pattern.compile("\\b" + name + "\\b"));
  }

  private Locator server(String name) {
    return sight
        .region("Servers and stores")
        .getByRole(AriaRole.LISTITEM)
        .filter(new Locator.FilterOptions().setHasText(name));
  }

  @Test
  void itIsLiveAndSaysWhichPartIsMissing() {
    sight.open("overview");
    assertThat(sight.main()).containsText("live");
    assertThat(role("worker")).containsText("up");

    mill.killWorker();
    mill.submitTool("echo", Json.object());
    var waiting = sight.region("Why is it waiting?");
    assertThat(waiting).containsText("jobs:stream");
    assertThat(waiting).containsText("no consumer");
    assertThat(verdict()).containsText("worker");
    assertThat(role("worker")).containsText("down");

    mill.needWorker();
    assertThat(waiting).hasCount(0);
    assertThat(role("worker")).containsText("up");
  }

  @Test
  void itSaysThatABrokerIsAwayAndThatItIsBack() {
    sight.open("overview");
    assertThat(server("amqp")).containsText("up");

    mill.amqp().close();
    assertThat(server("amqp")).containsText("down");
    assertThat(verdict()).containsText(Pattern.compile("^Amqp .*does not answer"));
    assertThat(server("kafka")).containsText("up");
    sight.open("servers");
    assertThat(sight.heading(Pattern.compile("AMQP"))).containsText("down");
    assertThat(sight.heading(Pattern.compile("Kafka"))).containsText("up");
    page.goBack();

    mill.amqp().start();
    assertThat(server("amqp")).containsText("up");
    assertThat(verdict()).not().containsText("Amqp");
  }

  @Test
  void aGatewayThatIsAwayIsSaidAndComesBack() {
    var context = newcomer(1360, 900);
    try (context;
        var own = new PageInspector(context, mill.address())) {
      own.signIn(DashboardProduct.VIEWER);
      own.settle("jobs");
      context.setOffline(true);
      assertThat(own.page().getByRole(AriaRole.ALERT).first()).containsText("does not answer");

      context.setOffline(false);
      assertThat(own.page().getByText("The gateway does not answer")).hasCount(0);
      own.assertWell();
    }
  }

  @Test
  void aTabThatNobodySeesHoldsNoConnection() {
    anew();
    sight.settle("contracts");
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
  void theFirstViewIsSmall() {
    anew();
    assertThat(sight.transferredByFirstView()).isBetween(10_000L, 300_000L);
    assertThat(sight.modulesFoundLate()).as("modules that the page does not name").isEmpty();
  }
}
