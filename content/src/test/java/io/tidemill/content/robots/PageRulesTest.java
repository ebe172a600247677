package io.tidemill.content.robots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.robots.PageRules.Meta;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageRulesTest {
  private static final Instant JUNE = Instant.parse("2010-06-25T15:00:00Z");

  @Test
  void aPageWithoutRulesIsFree() {
    assertThat(rules(List.of())).isEqualTo(PageRules.NONE);
    assertThat(rules(List.of(), "all", "max-snippet: 20, index")).isEqualTo(PageRules.NONE);
  }

  @Test
  void theStricterRuleHolds() {
    var metas = List.of(new Meta("ROBOTS", "Index, NoFollow"), new Meta("tidemill", "noarchive"));

    assertThat(rules(metas, "noindex")).isEqualTo(new PageRules(true, true, true, null));
  }

  @Test
  void noneIsBoth() {
    assertThat(rules(List.of(new Meta("robots", " none "))).none()).isTrue();
  }

  @Test
  void rulesForOthersAreNotOurs() {
    var metas = List.of(new Meta("otherbot", "noindex"), new Meta("description", "nofollow"));

    assertThat(rules(metas, "otherbot: noindex, nofollow")).isEqualTo(PageRules.NONE);
    assertThat(rules(metas, "otherbot: noindex, Tidemill: nofollow, noarchive"))
        .isEqualTo(new PageRules(false, true, true, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unavailable_after: 25 Jun 2010 15:00:00 GMT",
        "unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noarchive",
        "unavailable_after: Friday, 25-Jun-10 15:00:00 UTC",
        "nofollow, unavailable_after: 25-Jun-2010 15:00:00 UTC",
        "unavailable_after: 2010-06-25T17:00:00+02:00",
        "unavailable_after: 2010-06-25T15:00:00",
        "unavailable_after:2010-06-25 15:00:00"
      })
  void aPageMayEnd(String rule) {
    for (var rules : List.of(rules(List.of(), rule), rules(List.of(new Meta("robots", rule))))) {
      assertThat(rules.unavailableAfter()).hasValue(JUNE);
      assertThat(rules.mayIndex(JUNE.minusSeconds(1))).isTrue();
      assertThat(rules.mayIndex(JUNE)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"unavailable_after", "unavailable_after:", "unavailable_after: soon", ":", ",:,"})
  void whatNobodyUnderstandsIsNoRule(String rule) {
    assertThat(rules(List.of(new Meta("robots", rule)), rule)).isEqualTo(PageRules.NONE);
  }

  private static PageRules rules(List<Meta> metas, String... headers) {
    return PageRules.of(metas, List.of(headers), "Tidemill");
  }
}
