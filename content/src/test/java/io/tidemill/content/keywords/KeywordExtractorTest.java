package io.tidemill.content.keywords;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeywordExtractorTest {
  private static List<String> of(String text, String language) {
    return KeywordExtractor.of(text, language, 10).stream().map(Keyword::phrase).toList();
  }

  @Test
  void findsThePhrasesBetweenStopWords() {
    assertThat(of("The tide mill is powered by the sea water. It is a tide mill.", "en"))
        .startsWith("tide mill")
        .contains("sea water")
        .doesNotContain("the", "is", "it");
  }

  @Test
  void ranksFromOneDown() {
    var keywords =
        KeywordExtractor.of("A tide mill, a wind mill, and the miller of a tide mill", "en", 3);

    assertThat(keywords)
        .hasSize(3)
        .extracting(Keyword::score)
        .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(keywords.getFirst()).isEqualTo(new Keyword("tide mill", 1));
    assertThat(keywords).allSatisfy(keyword -> assertThat(keyword.score()).isPositive());
  }

  @Test
  void readsPostsAsTheyAreWritten() {
    var post =
        "RT @someone: Just drove the new VinFast VF8 😡 #electriccars in 2024, see"
            + " https://example.com/range/test www.example.org or mail me@example.com";

    assertThat(of(post, "en"))
        .startsWith("vinfast vf8")
        .contains("electriccars")
        .doesNotContain("someone", "2024", "range", "test", "me", "example", "#electriccars");
  }

  @Test
  void findsWhoAndWhereInNews() {
    var news =
        """
        Storm closes the tide mill at Woodbridge
        The tide mill at Woodbridge was closed on Monday after a storm from the North Sea had broken
        its gates. Engineers from Suffolk said that Woodbridge would need new timber from Norway,
        and that Norway had agreed to send it by ship to Ipswich. The mayor of Woodbridge, Jane
        Carter, told the BBC that Ipswich and Suffolk would pay for the timber. In London the
        ministry said that it had not heard from Carter. Visitors who had come from London to see
        the mill turn were sent to Ipswich, where the museum opened its doors on Tuesday.
        """;

    assertThat(of(news, "en"))
        .startsWith("woodbridge", "ipswich")
        .contains("suffolk", "norway", "tide mill")
        .doesNotContain("monday", "tuesday");
    assertThat(of(news.toLowerCase(Locale.ROOT), "en")).startsWith("tide mill");
  }

  @Test
  void countsSingularAndPluralTogether() {
    assertThat(of("Tide mills are old. A tide mill needs tides.", "en"))
        .containsOnlyOnce("tide mills")
        .doesNotContain("tide mill");
  }

  @Test
  void leavesOwnersAndContractionsBehind() {
    assertThat(of("Elon Musk’s company isn't there, we'll see", "en"))
        .contains("elon musk")
        .noneMatch(phrase -> phrase.contains("'"));
  }

  @Test
  void findsGermanNouns() {
    var text =
        "Die Regierung will den Ausbau der Windenergie beschleunigen. Die erneuerbaren Energien"
            + " müssten schneller wachsen, sagte der Minister. Der Ausbau der Windenergie stockt.";

    assertThat(of(text, "de")).contains("windenergie", "ausbau", "erneuerbaren energien");
    assertThat(of(text, "de").subList(0, 3)).doesNotContain("beschleunigen", "stockt");
  }

  @Test
  void findsVietnamesePhrases() {
    var text =
        "Mình vừa lái thử xe điện VinFast VF8, pin tụt nhanh quá. Trạm sạc còn ít, giá xe điện thì"
            + " cao. Mọi người có ai dùng xe điện VinFast chưa? #vinfast";

    assertThat(of(text, "vi")).contains("xe điện", "xe điện vinfast", "vinfast", "trạm sạc");
  }

  @Test
  void findsWordsWhereNoSpacesAre() {
    assertThat(of("比亚迪发布了电动汽车。电动汽车的电池，比亚迪的电动汽车市场", "zh"))
        .contains("电动汽车", "比亚迪", "电池")
        .doesNotContain("电", "动汽车");
    assertThat(of("トヨタ自動車は新型の電気自動車を発表した。", "ja")).contains("トヨタ自動車", "電気自動車");
    assertThat(of("รถยนต์ไฟฟ้าของบริษัท และรถยนต์ไฟฟ้า", "th")).contains("รถยนต์ไฟฟ้า");
    assertThat(of("전기차 배터리는 한국에서 생산된다.", "ko")).contains("전기차 배터리", "한국");
  }

  @Test
  void copesWithoutAListOfStopWords() {
    assertThat(of("Ang presyo ng bigas ay tumaas. Ang presyo ng bigas!", "tl"))
        .contains("presyo", "bigas")
        .doesNotContain("ang", "ng");
    assertThat(of("tide mill", "")).containsExactly("tide mill");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "the of and", "12 34", "@you", "!!!", "\u0000", "\ud83d", "😀"})
  void findsNothingWhereNothingIs(String text) {
    assertThat(KeywordExtractor.of(text, "en", 10)).isEmpty();
  }

  @Test
  void givesNoMoreThanAskedFor() {
    assertThat(KeywordExtractor.of("tide mill, sea water, wind", "en", 2)).hasSize(2);
    assertThat(KeywordExtractor.of("tide mill, sea water, wind", "en", 0)).isEmpty();
    assertThat(KeywordExtractor.of("tide mill, sea water, wind", "en", Integer.MAX_VALUE))
        .hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a", "A", " ", "!", "\u0000", "\ud83d", "😀", "\n", "a b ", "tide ", "漢", "カ", "ก", "가",
        "#", "@", "'", "a.", "a-"
      })
  void copesWithMegabytesOfTheSame(String part) {
    var text = part.repeat(5_000_000 / part.length());
    for (var language : List.of("en", "de", "zh", "ja", "th", "")) {
      assertThat(KeywordExtractor.of(text, language, 10)).hasSizeLessThanOrEqualTo(10);
    }
  }

  @Test
  void copesWithAnyText() {
    var random = new Random(7);
    var languages = List.of("en", "de", "fr", "vi", "zh", "ja", "th", "ko", "xx", "");
    var parts =
        "abc ABC xyz the tide l'eau we'll 漢字カナかな ไทย 한국은 #tag @you http://a.b/c 1.5 é\u0301";
    for (var run = 0; run < 5_000; run++) {
      var text = new StringBuilder();
      for (var i = random.nextInt(80); i >= 0; i--) {
        var at = random.nextInt(parts.length());
        text.append(parts, at, Math.min(parts.length(), at + random.nextInt(6)));
        if (random.nextInt(10) == 0) text.append((char) random.nextInt(0x10000));
      }
      var language = languages.get(random.nextInt(languages.size()));
      assertThat(KeywordExtractor.of(text.toString(), language, 5))
          .hasSizeLessThanOrEqualTo(5)
          .allSatisfy(keyword -> {
            assertThat(keyword.phrase()).isNotBlank().doesNotContain("#", "@", "://");
            assertThat(keyword.score()).isGreaterThan(0).isLessThanOrEqualTo(1);
          });
    }
  }
}
