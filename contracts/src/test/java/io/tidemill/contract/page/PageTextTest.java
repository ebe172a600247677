package io.tidemill.contract.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.strings;

import io.tidemill.contract.page.PageText.Span;
import io.tidemill.testing.Corpora;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quicktheories.core.Gen;

class PageTextTest {
  @Test
  void normalisesAsTheContractSays() { // C4.5
    assertThat(text("  Hello,\n\n WORLD!\u00a0 \tGrüße\u2028ÉTÉ ").normalised())
        .isEqualTo("hello, world! grüße été");
  }

  @Test
  void normalisesLikeTheJdkDoes() { // C4.5
    for (var word : List.of("ΟΔΟΣ", "İstanbul", "STRASSE", "K", "Ǆ", "𐐀𐐁")) {
      assertThat(text(word).normalised()).isEqualTo(word.toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void restoresCaseLinesAndMainParts() {
    var page = "Home | About\n\nThe  Title\nA paragraph of NASA.\nImprint";
    var main = new Span(page.indexOf("The"), page.indexOf("Imprint"));

    var restored = restored(new PageText(page, List.of(main)));

    assertThat(restored.readable())
        .isEqualTo("Home | About\nThe Title\nA paragraph of NASA.\nImprint");
    assertThat(parts(restored)).containsExactly("The Title\nA paragraph of NASA.");
  }

  @ParameterizedTest
  @CsvSource({
    "ΟΔΟΣ Οδός, ΟΔΟΣ Οδός",
    "𐐀𐐨, 𐐀𐐨",
    "ǅ Ǆ, ǆ Ǆ",
    "ẞ ß, ß ß",
    "\u212A x, k x", // the sign of Kelvin
    "İI, i\u0307I",
  })
  void charactersWithoutASingleUpperCaseStayLower(String before, String after) {
    assertThat(restored(text(before)).readable()).isEqualTo(after);
  }

  @Test
  void partsFollowTheirTextThroughLettersThatGrow() {
    var page = new PageText("İİ The END", List.of(new Span(3, 6), new Span(7, 10)));

    assertThat(parts(restored(page))).containsExactly("The", "END");
  }

  @Test
  void restoresAnyText() { // up to the characters that have no single upper case
    qt().withExamples(2_000)
        .forAll(texts())
        .checkAssert(text -> {
          var restored = restored(text);
          var before = text.collapsed();
          assertThat(restored.normalised()).isEqualTo(text.normalised());
          assertSame(restored.readable(), before.readable());
          assertThat(parts(restored).stream().map(PageTextTest::lower).toList())
              .isEqualTo(parts(before).stream().map(PageTextTest::lower).toList());
        });
  }

  @Test
  void restoresNaughtyStrings() {
    for (var naughty : Corpora.naughtyStrings()) {
      assertSame(restored(text(naughty)).readable(), text(naughty).collapsed().readable());
    }
  }

  @Test
  void hostileShapesLeaveThePlainText() {
    var random = new Random(1);
    var lower = "the quick brown fox jumps";
    for (int i = 0; i < 20_000; i++) {
      var shape = new byte[random.nextInt(40)];
      random.nextBytes(shape);
      if (shape.length > 0) shape[0] = (byte) random.nextInt(4);
      assertThat(PageText.of(lower, shape).normalised()).isEqualTo(lower);
    }
  }

  @Test
  void brokenShapesLeaveThePlainText() {
    var page =
        new PageText("The Quick\nBrown FOX " + "Jumps Over ".repeat(40), List.of(new Span(4, 9)));
    var lower = page.normalised();
    var shape = page.shape();
    for (int at = 0; at < shape.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        var broken = shape.clone();
        broken[at] ^= (byte) (1 << bit);
        assertThat(PageText.of(lower, broken).normalised()).isEqualTo(lower);
      }
      assertThat(PageText.of(lower, java.util.Arrays.copyOf(shape, at)).normalised())
          .isEqualTo(lower);
    }
  }

  @Test
  void theShapeOfAnotherTextIsNotUsed() {
    assertThat(PageText.of("something else", text("Hello").shape()).readable())
        .isEqualTo("something else");
    assertThat(PageText.of("hello", null)).isEqualTo(new PageText("hello", List.of()));
    assertThat(PageText.of("hello", new byte[0]).readable()).isEqualTo("hello");
  }

  @Test
  void shapesAreSmallAndNeverTooLargeForAHeader() {
    var page = "The quick brown Fox jumps over the lazy Dog. ".repeat(300);
    assertThat(text(page).shape()).hasSizeLessThan(page.length() / 50);

    var random = new Random(1);
    var noise = new StringBuilder();
    for (int i = 0; i < 1_000_000; i++)
      noise.append((char) ((random.nextBoolean() ? 'a' : 'A') + random.nextInt(26)));
    assertThat(text(noise.toString()).shape()).isEmpty();
  }

  private static Gen<PageText> texts() {
    var characters =
        strings()
            .allPossible()
            .ofLengthBetween(0, 40)
            .mix(strings().basicLatinAlphabet().ofLengthBetween(0, 120));
    return characters.zip(
        lists().of(integers().between(0, 120)).ofSizeBetween(0, 6),
        (text, cuts) -> new PageText(text, spans(text, cuts)));
  }

  private static List<Span> spans(String text, List<Integer> cuts) {
    var sorted =
        cuts.stream()
            .map(cut -> Math.min(cut, text.length()))
            // Nobody cuts a character in halves.
            .filter(cut -> cut == text.length() || !Character.isLowSurrogate(text.charAt(cut)))
            .sorted()
            .distinct()
            .toList();
    var spans = new ArrayList<Span>();
    for (int i = 0; i + 1 < sorted.size(); i += 2) {
      spans.add(new Span(sorted.get(i), sorted.get(i + 1)));
    }
    return spans;
  }

  private static void assertSame(String restored, String before) {
    var at = 0;
    for (int i = 0; i < before.length(); ) {
      var was = before.codePointAt(i);
      var is = restored.codePointAt(at);
      var reversible = Character.toUpperCase(Character.toLowerCase(was)) == was;
      if (was != 0x130 && reversible) assertThat(is).isEqualTo(was);
      i += Character.charCount(was);
      at += was == 0x130 ? 2 : Character.charCount(is);
    }
    assertThat(at).isEqualTo(restored.length());
  }

  private static List<String> parts(PageText text) {
    return text.main().stream()
        .map(span -> text.readable().substring(span.start(), span.end()))
        .toList();
  }

  private static String lower(String text) {
    return text(text).normalised();
  }

  private static PageText restored(PageText text) {
    return PageText.of(text.normalised(), text.shape());
  }

  private static PageText text(String readable) {
    return new PageText(readable, List.of());
  }
}
