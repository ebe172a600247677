package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.content.robots.PageRules;
import io.tidemill.content.robots.Robots;
import io.tidemill.content.url.WebUrl;
import java.util.List;

/// Rules for robots: every file and every header has an answer.
public final class RobotsTarget {
  private RobotsTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var path = data.consumeString(60);
    var rule = data.consumeString(60);
    PageRules.of(List.of(new PageRules.Meta("robots", rule)), List.of(rule), "Tidemill");
    var robots = Robots.parse(data.consumeRemainingAsBytes(), "Tidemill");
    WebUrl.parse("https://example.org/" + path).ifPresent(robots::allows);
    if (robots.crawlDelay().filter(delay -> delay.isNegative()).isPresent()) {
      throw new AssertionError("negative delay");
    }
  }
}
