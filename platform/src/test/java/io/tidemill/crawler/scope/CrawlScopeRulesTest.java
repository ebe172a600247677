package io.tidemill.crawler.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlScope;
import io.tidemill.support.CpuTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrawlScopeRulesTest {
  private static final WebUrl SEED = url("https://www.example.co.uk/docs/start.html");

  @ParameterizedTest
  @CsvSource({
    "https://www.example.co.uk/,            true,  true,  false",
    "https://www.example.co.uk/docs/,       true,  true,  true",
    "http://www.example.co.uk/docs/a/b,     true,  true,  true",
    "https://example.co.uk/docs/a,          true,  true,  true",
    "https://example.co.uk:8443/docs/a,     false, true,  false",
    "https://blog.example.co.uk/docs/a,     false, true,  false",
    "https://www.example.co.uk/docs,        true,  true,  false",
    "https://other.co.uk/docs/a,            false, false, false",
    "https://badexample.co.uk/docs/a,       false, false, false",
    "https://www.example.co.uk.evil.org/,   false, false, false"
  })
  void knowsHowFarACrawlReaches(String url, boolean host, boolean domain, boolean prefix) {
    assertThat(scope(CrawlScope.HOST).refusal(url(url), 1).isEmpty()).isEqualTo(host);
    assertThat(scope(CrawlScope.DOMAIN).refusal(url(url), 1).isEmpty()).isEqualTo(domain);
    assertThat(scope(CrawlScope.PREFIX).refusal(url(url), 1).isEmpty()).isEqualTo(prefix);
  }

  @Test
  void aSharedDomainIsNotOneSite() {
    var scope = scope(url("https://joe.github.io/"), CrawlScope.DOMAIN, List.of(), List.of());

    assertThat(scope.refusal(url("https://www.joe.github.io/x"), 1)).isEmpty();
    assertThat(scope.refusal(url("https://ann.github.io/x"), 1))
        .hasValue("outside the domain joe.github.io");
  }

  @Test
  void saysWhyInWords() {
    var scope = scope(SEED, CrawlScope.PREFIX, List.of("/docs/"), List.of("print=1"));

    assertThat(scope.refusal(url("https://www.example.co.uk/docs/a"), 4))
        .hasValue("depth 4 is beyond the limit of 3");
    assertThat(scope.refusal(url("https://www.example.co.uk/a"), 1))
        .hasValue("outside the folder /docs/ of host example.co.uk");
    assertThat(scope.refusal(url("https://www.example.co.uk/docs/a.PNG?x"), 1))
        .hasValue("files of type png");
    assertThat(scope.refusal(url("https://www.example.co.uk/docs/a?print=1"), 1))
        .hasValue("excluded by print=1");
  }

  @Test
  void includeHoldsForLinksAndExcludeForAll() {
    var scope = scope(SEED, CrawlScope.HOST, List.of("/blog/", "/news/"), List.of("start"));

    assertThat(scope.refusal(url("https://example.co.uk/"), 0)).isEmpty();
    assertThat(scope.refusal(url("https://example.co.uk/news/1"), 1)).isEmpty();
    assertThat(scope.refusal(url("https://example.co.uk/"), 1))
        .hasValue("matches no include pattern");
    assertThat(scope.refusal(SEED, 0)).hasValue("excluded by start");
  }

  @ParameterizedTest
  @CsvSource({
    "/docs/a.html, true", "/docs/a.pdf, true", "/docs/v1.2/, true", "/docs/a.tar.gz, false",
    "/docs/a.woff2, false", "/docs/a., true", "/docs/a.js/x, true", "/docs/a.jsp, true"
  })
  void leavesOutFilesWithoutText(String path, boolean follows) {
    assertThat(scope(CrawlScope.HOST).refusal(url("https://example.co.uk" + path), 1).isEmpty())
        .isEqualTo(follows);
  }

  @Test
  void namesTheFieldAndThePatternThatIsWrong() {
    assertThatThrownBy(() -> scope(SEED, CrawlScope.HOST, List.of("a", "(b"), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("include has the pattern '(b': ");
    assertThatThrownBy(() -> scope(SEED, CrawlScope.HOST, List.of(), List.of("(?=a)")))
        .hasMessageStartingWith("exclude has the pattern '(?=a)': ");
    assertThatThrownBy(() -> scope(SEED, CrawlScope.HOST, Collections.nCopies(51, "a"), List.of()))
        .hasMessage("include has 51 patterns: expected at most 50");
    assertThatThrownBy(() -> scope(SEED, CrawlScope.HOST, List.of(), List.of("a".repeat(1_001))))
        .hasMessage("exclude has a pattern of 1001 characters: expected at most 1000");
    assertThatThrownBy(() -> scope(SEED, CrawlScope.HOST, List.of("((a{99}){99}){99}"), List.of()))
        .hasMessageContaining("its repeats multiply to more than 1000");
  }

  @Test
  void takesNoLongForAHostilePattern() { // F49
    var scope = scope(SEED, CrawlScope.HOST, List.of("(a*)*b|(a|aa)+$c"), List.of());
    var url = url("https://example.co.uk/" + "a".repeat(5_000));

    var time = CpuTime.of(() -> assertThat(scope.refusal(url, 1)).isPresent());

    assertThat(time).isLessThan(Duration.ofSeconds(1));
  }

  private static CrawlScopeRules scope(CrawlScope scope) {
    return scope(SEED, scope, List.of(), List.of());
  }

  private static CrawlScopeRules scope(
      WebUrl seed, CrawlScope scope, List<String> include, List<String> exclude) {
    var options =
        new CrawlOptions(100, 3, include, exclude, scope, false, 0, 0, false, "", false, -1);
    return new CrawlScopeRules(seed, options, ScopeConfig.standard());
  }

  private static WebUrl url(String text) {
    return WebUrl.parse(text).orElseThrow();
  }
}
