package io.tidemill.content.robots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.url.WebUrl;
import io.tidemill.support.CpuTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
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
    "*?q=,          /x?q=,      false",
    "/a<d.html,     /a<d.html,  false", // RFC 9309, 2.2.2: one spelling for rules and URLs
    "/a<d.html,     /a%3cd.html, false",
    "/a%3Cd.html,   /a<d.html,  false",
    "/x y/,         /x y/z,     false",
    "/x%20y/,       /x y/z,     false",
    "/{a|b}^`,      /{a|b}^`,   false",
    "/{a|b}^`,      /%7Ba%7Cb%7D%5E%60, false",
    "/a?q='x',      /a?q='x',   false", // browsers escape this one in queries only
    "/a?q={x},      /a?q=%7bx%7d, false",
    "/wiki/A%3AB,   /wiki/A:B,  false",
    "/foo/bar/%62%61%7A, /foo/bar/baz, false",
    "/foo/bar/baz,  /foo/bar/%62%61%7A, false",
    "/foo?u=https://a.b, /foo?u=https%3A%2F%2Fa.b, false",
    "/foo?u=https%3A%2F%2Fa.b, /foo?u=https://a.b, false",
    "/*%2F,         /foo?u=a%2Fb, false",
    "/*%2F,         /foo/a,     true",
    "/foo-%24,      /foo-$,     false", // RFC 9309, 2.2.3: special only when literal
    "/foo-%24,      /foo-%24x,  false",
    "/foo-%24,      /foo-,      true",
    "/foo-$,        /foo-$,     true",
    "/foo-$$,       /foo-$,     false",
    "/foo-$x,       /foo-%24x,  false",
    "/file-%2A.html, /file-*.html, false",
    "/file-%2A.html, /file-x.html, true",
    "/file-*.html,  /file-%2a.html, false",
    "/100%,         /100%,      false",
    "/a+b,          /a%2Bb,     true"
  })
  void matchesPaths(String rule, String path, boolean allowed) {
    assertThat(allows(robots("User-agent: *\nDisallow: " + rule), path)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "/x y/,         /x y/z,     true",
    "/x%20y/,       /x y/z,     true",
    "/a<d.html,     /a%3cd.html, true",
    "/~joe,         /%7Ejoe,    true",
    "/%7Ejoe,       /%7ejoe,    true",
    "/%7Ejoe,       /~joe,      false", // as Google's parser
    "/foo-%24,      /foo-$,     true"
  })
  void allowsPathsInEverySpelling(String rule, String path, boolean allowed) {
    var robots = robots("User-agent: *\nDisallow: /\nAllow: " + rule);

    assertThat(allows(robots, path)).isEqualTo(allowed);
  }

  @Test
  void ranksRulesByTheSpellingThatIsCompared() { // as long as each other: the one that allows
    var robots = robots("User-agent: *\nDisallow: /x%20y/\nAllow: /x y/\n");

    assertThat(allows(robots, "/x y/")).isTrue();
  }

  /// Any spelling of a path in a rule forbids any spelling of it in a URL.
  @Test
  void comparesEverySpellingWithEveryOther() {
    var random = new Random(9309);
    for (int i = 0; i < 5_000; i++) {
      var path = randomPath(random);
      var rule = respell(path, random, true);
      var url = respell(path, random, false);

      assertThat(allows(robots("User-agent: *\nDisallow: " + rule + "$"), url))
          .as("Disallow: %s$ for %s", rule, url)
          .isFalse();
    }
  }

  private static String randomPath(Random random) {
    var path = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) path.append((char) random.nextInt('!', 0x7F));
    return "/-" + path.toString().replaceAll("[#?/\\\\%.&=+]", "x") + "-";
  }

  private static String respell(String path, Random random, boolean isRule) {
    var out = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      boolean isSpecial = isRule && (c == '*' || c == '$');
      if (c == '/' || (!isSpecial && random.nextBoolean())) out.append(c);
      else out.append(String.format(random.nextBoolean() ? "%%%02x" : "%%%02X", (int) c));
    }
    return out.toString();
  }

  @Test
  void readsAnyBytes() { // F51
    var random = new Random(2);
    var parts = List.of("User-agent: *\n", "Allow:", "Disallow: /", "%", "%2", "$", "*", "\n", "?");
    for (int i = 0; i < 5_000; i++) {
      var text = new StringBuilder("User-agent: *\nDisallow: /");
      for (int n = random.nextInt(12); n > 0; n--) {
        text.append(parts.get(random.nextInt(parts.size()))).append((char) random.nextInt(0x100));
      }
      var body = text.toString().getBytes(StandardCharsets.ISO_8859_1);

      Robots.parse(body, "Tidemill").allowsPath("/" + text.substring(14));
      allows(Robots.parse(body, "Tidemill"), "/a%" + random.nextInt());
    }
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
