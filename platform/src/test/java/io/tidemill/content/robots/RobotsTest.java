package io.tidemill.content.robots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.url.WebUrl;
import io.tidemill.support.CpuTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RobotsTest {
  @Test
  void obeysTheLongestRuleThatMatches() {
    var robots = robots("User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c$\n");

    assertThat(allows(robots, "/")).isTrue();
    assertThat(allows(robots, "/a/x")).isFalse();
    assertThat(allows(robots, "/a/b/x")).isTrue();
    assertThat(allows(robots, "/a/b/c")).isFalse();
    assertThat(allows(robots, "/a/b/cd")).isTrue();
  }

  @Test
  void listensToItsOwnGroupsAndToNoOthers() {
    var robots =
        robots(
            """
            User-agent: other
            User-agent: TIDEMILL/2.0 (crawler)
            Disallow: /one
            Crawl-delay: 2.5

            User-agent: *
            Disallow: /
            Crawl-delay: 9
            Sitemap: https://example.org/map.xml

            User-agent: tidemill
            Disallow: /two
            """);

    assertThat(allows(robots, "/")).isTrue();
    assertThat(allows(robots, "/one")).isFalse();
    assertThat(allows(robots, "/two")).isFalse();
    assertThat(robots.crawlDelay()).hasValue(Duration.ofMillis(2500));
    assertThat(robots.sitemaps()).containsExactly("https://example.org/map.xml");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n", "\n\n", "\r\r\n"})
  void knowsEveryKindOfLineEnd(String end) {
    var robots =
        robots("\uFEFFUser-agent: *" + end + "disallow /x # no" + end + "Allow: /x/y" + end);

    assertThat(allows(robots, "/x")).isFalse();
    assertThat(allows(robots, "/x/y")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/*.php,        /a.php?x,   false",
    "/*.php$,       /a.php?x,   true",
    "/*.php$,       /a.php.php, false",
    "*/x*y*$,       /a/x/y/z,   false",
    "/a*b*c$,       /abc,       false",
    "/a*c*c$,       /abc,       true",
    "/$,            /,          false",
    "/$,            /a,         true",
    "/a$b,          /a$b,       false",
    "/caf\u00e9/,   /café/x,    false",
    "/caf%c3%a9/,   /café/x,    false",
    "/%7Ejoe,       /~joe,      false",
    "/~joe,         /%7ejoe,    false",
    "/a%2fb,        /a/b,       true",
    "/a%2fb,        /a%2Fb,     false",
    "/***a,         /b/a,       false",
    "?q=,           /?q=,       true",
    "*?q=,          /x?q=,      false"
  })
  void matchesPaths(String rule, String path, boolean allowed) {
    assertThat(allows(robots("User-agent: *\nDisallow: " + rule), path)).isEqualTo(allowed);
  }

  @Test
  void alwaysAllowsToAskForTheRules() {
    assertThat(allows(Robots.disallowAll(), "/robots.txt")).isTrue();
    assertThat(allows(Robots.disallowAll(), "/")).isFalse();
    assertThat(allows(Robots.allowAll(), "/")).isTrue();
  }

  @Test
  void ignoresWhatLiesBeyond500KiB() { // F51
    var filler = "# " + "x".repeat(1021) + "\n";
    var robots = robots("User-agent: *\n" + filler.repeat(500) + "Disallow: /\n");

    assertThat(allows(robots, "/x")).isTrue();
  }

  @Test
  void takesNoLongForHostilePatterns() { // F51
    var stars = "Disallow: /" + "*a".repeat(500) + "b\n";
    var runs = "Disallow: /*" + "a".repeat(900) + "b\n";
    var robots = robots("User-agent: *\n" + stars.repeat(200) + runs.repeat(200));
    var url = "/" + "a".repeat(2_000);

    var time = CpuTime.of(() -> assertThat(allows(robots, url)).isTrue());

    assertThat(time).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void takesNoLongForManyShortLines() { // F51
    for (var line : List.of("a\n", "a:\n", "a b\n", "allow:/*a\n", "user-agent:*\n")) {
      var text = "User-agent: *\n" + line.repeat(Robots.MOST_BYTES / line.length());

      var time = CpuTime.of(() -> allows(robots(text), "/b"));

      assertThat(time).as(line).isLessThan(Duration.ofSeconds(2));
    }
  }

  @ParameterizedTest
  @CsvSource({"-1", "NaN", "soon", "''"})
  void ignoresADelayThatIsNone(String delay) {
    assertThat(robots("User-agent: *\nCrawl-delay: " + delay).crawlDelay()).isEmpty();
  }

  @Test
  void keepsADelayWithinADay() { // F51
    assertThat(robots("User-agent: *\nCrawl-delay: 1e300").crawlDelay())
        .hasValue(Duration.ofDays(1));
  }

  private static Robots robots(String text) {
    return Robots.parse(text.getBytes(StandardCharsets.UTF_8), "Tidemill");
  }

  private static boolean allows(Robots robots, String path) {
    return robots.allows(WebUrl.parse("https://example.org" + path).orElseThrow());
  }
}
