package io.tidemill.content.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemill.support.CpuTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTextTest {
  private static final String FIRST =
      "The tide mill at the mouth of the river has ground flour since the year 1170, say the books.";
  private static final String SECOND =
      "Twice a day the sea fills the pond behind the dam, and twice a day the miller lets it go.";
  private static final String THIRD =
      "Nobody knows who built it, but everybody in the village has an uncle who repaired the wheel.";
  private static final String STORY =
      "<p>" + FIRST + "</p><p>" + SECOND + "</p><p>" + THIRD + "</p>" + "<p>" + FIRST + "</p>"
          + "<p>" + SECOND + "</p><p>" + THIRD + "</p>";
  private static final String MENU =
      """
      <ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li><li><a href=/mills>Mills</a></li>
      <li><a href=/flour>Flour and bread</a></li><li><a href=/about>About the society</a></li></ul>
      """;

  @Test
  void leavesOutMenuAndFooter() {
    var text =
        textOf(
            "<div>"
                + MENU
                + "</div><div>"
                + STORY
                + "</div>"
                + "<footer><p>The society of mills, 12 Sea Road, all rights reserved.</p></footer>");

    assertThat(text).startsWith(FIRST).endsWith(THIRD + "\n");
    assertThat(text).doesNotContain("Home", "Flour and bread", "Sea Road");
  }

  @Test
  void isOneLineAParagraph() {
    assertThat(textOf(STORY).lines()).containsExactly(FIRST, SECOND, THIRD, FIRST, SECOND, THIRD);
  }

  @Test
  void leavesOutTheRemarksOfReadersEvenIfTheyWroteMore() {
    var remark =
        "<li><p>I have been there, and it was closed, and it rained all day long.</p></li>";

    var text =
        textOf("<div>" + STORY + "</div><ol class=comment-list>" + remark.repeat(40) + "</ol>");

    assertThat(text).contains(FIRST).doesNotContain("it rained");
  }

  @Test
  void readsAPageOfNothingButRemarks() {
    var posts = "<div class=comment><p>" + FIRST + "</p><p>" + SECOND + "</p></div>";

    var text = textOf("<h1>Which mill?</h1>" + MENU + "<div class=comments>" + posts.repeat(9));

    assertThat(text).contains(FIRST, SECOND);
  }

  @Test
  void keepsHeadingsListsTablesAndQuotesOfTheText() {
    var text =
        textOf(
            "<article>"
                + STORY
                + "<h2>The wheel</h2><ul><li>oak</li><li>iron</li></ul>"
                + "<table><tr><td>Diameter</td><td>4 m</td></tr></table>"
                + "<blockquote>It turns.</blockquote>"
                + STORY
                + "</article>");

    assertThat(text.lines()).contains("The wheel", "oak", "iron", "Diameter", "4 m", "It turns.");
  }

  @Test
  void leavesOutShareBarsCaptionsAndRelatedArticles() {
    var text =
        textOf(
            "<article>"
                + STORY
                + "<figure><img src=m.jpg><figcaption>The mill at dusk, by A. Miller.</figcaption></figure>"
                + "<div class=share-buttons>Tell your friends about this page, they will like it.</div>"
                + "<div class=relatedArticles><p>Wind mills are taller, but the wind does not keep hours.</p></div>"
                + "<p><a href=/more>Read more: the mills of the north</a></p>"
                + STORY
                + "</article>");

    assertThat(text).doesNotContain("at dusk", "your friends", "Wind mills", "Read more");
  }

  @Test
  void leavesOutWhatIsHidden() {
    var text =
        textOf(
            STORY
                + "<p hidden>Hidden by attribute, and not to be read.</p>"
                + "<p style='color:red;display: none'>Hidden by style, and not to be read.</p>"
                + "<p aria-hidden=true>Hidden from readers, and not to be read.</p>"
                + "<script>var x = 'not to be read';</script><template>not to be read</template>");

    assertThat(text).doesNotContain("not to be read");
  }

  @Test
  void takesTheArticleAndNotTheTeasersOfOthers() {
    var teaser = "<article><h3>Another mill</h3><p>" + THIRD + "</p></article>";

    var text =
        textOf(
            "<section><article><h1>Tide</h1>" + STORY + "</article></section>" + teaser.repeat(6));

    assertThat(text.lines()).hasSize(6).contains(FIRST);
  }

  @Test
  void takesWhatCallsItselfTheBody() {
    var aside = "<div class=box><p>" + THIRD + "</p><p>" + THIRD + "</p></div>";

    var text =
        textOf(
            "<div><div itemprop=articleBody><p>"
                + FIRST
                + "</p><p>"
                + SECOND
                + "</p><p>"
                + FIRST
                + "</p></div>"
                + aside.repeat(3)
                + "</div>");

    assertThat(text).contains(FIRST, SECOND).doesNotContain(THIRD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"article-body", "articleBody", "post_content", "entry-content clearfix"})
  void knowsTheUsualNamesOfABody(String name) {
    var text =
        textOf(
            "<div><div class='"
                + name
                + "'><p>"
                + FIRST
                + "</p><p>"
                + SECOND
                + "</p><p>"
                + FIRST
                + "</p></div><div><p>"
                + THIRD
                + "</p></div><div><p>"
                + THIRD
                + "</p></div></div>");

    assertThat(text).contains(FIRST).doesNotContain(THIRD);
  }

  @Test
  void isNotMisledByTheTopicsOfAnArticle() {
    var theme = "post-7 post hentry category-social-media tag-comments tag-share";

    assertThat(textOf("<div class='" + theme + "'>" + STORY + "</div>")).contains(FIRST);
  }

  @Test
  void isNotMisledByNamesOfThePageFrame() {
    var text =
        textOf("<body class='has-sidebar modal-open'><div class=with-sidebar>" + STORY + "</div>");

    assertThat(text).contains(FIRST);
  }

  @Test
  void takesAllOfAShortPage() {
    assertThat(textOf("<h1>Example</h1><p>Two words.</p>")).isEqualTo("Example\nTwo words.\n");
    assertThat(textOf("Test")).isEqualTo("Test\n");
  }

  @Test
  void splitsTextAtTwoLineBreaks() {
    var text = textOf("<div>" + FIRST + "<br>\n<br>" + SECOND + "<br>" + THIRD + "</div>");

    assertThat(text.lines()).containsExactly(FIRST, SECOND + " " + THIRD);
  }

  @Test
  void keepsTheSpaceBetweenWords() {
    var text =
        textOf("<p><b>Tide</b> <i>mills</i>\n turn<sup>1</sup>, <x-note>slowly</x-note>.</p>");

    assertThat(text).isEqualTo("Tide mills turn1, slowly.\n");
  }

  @Test
  void knowsTheNodesOfTheMainPart() {
    var document = Jsoup.parse("<nav>" + MENU + "</nav><main>" + STORY + "</main>");

    var main = MainText.of(document);

    assertThat(textNodes(document, "main p")).isNotEmpty().allMatch(main::contains);
    assertThat(textNodes(document, "nav a")).isNotEmpty().noneMatch(main::contains);
    assertThat(main.isEmpty()).isFalse();
  }

  @Test
  void findsTextInLanguagesWithoutSpaces() {
    var story =
        "<p>潮汐磨坊建于十二世纪，利用潮水的涨落来推动水轮。每天两次，海水涌入水坝后面的池塘。</p>"
            + "<p>磨坊主等到退潮，然后打开闸门。水流推动木轮，石磨便开始转动，把谷物磨成面粉。</p>";

    var text = textOf("<div>" + MENU.repeat(4) + "</div><div>" + story.repeat(3) + "</div>");

    assertThat(text).contains("潮汐磨坊", "磨成面粉").doesNotContain("Home");
    assertThat(text.lines()).hasSize(6);
  }

  @Test
  void findsTextWrittenFromTheRight() {
    var story =
        "<p>تعمل طاحونة المد والجزر مرتين في اليوم، عندما يملأ البحر البركة خلف السد ثم ينحسر.</p>";

    var text =
        textOf("<div>" + MENU.repeat(4) + "</div><div dir=rtl>" + story.repeat(7) + "</div>");

    assertThat(text).contains("طاحونة").doesNotContain("Home");
  }

  @Test
  void findsTheDescriptionOfAProduct() {
    var text =
        textOf(
            MENU
                + "<div class=product><h1>Mill stone</h1><div class=price>€ 480</div>"
                + "<div class=description><p>"
                + FIRST
                + "</p><p>"
                + SECOND
                + "</p></div>"
                + "<table><tr><th>Weight</th><td>900 kg</td></tr></table></div>"
                + "<div class=recommendations><a href=/1>Small stone</a><a href=/2>Large stone</a></div>"
                + "<p>"
                + THIRD
                + "</p>".repeat(4));

    assertThat(text).contains(FIRST, SECOND).doesNotContain("Small stone", "Home");
  }

  @Test
  void findsCodeAndTextOfADocumentationPage() {
    var text =
        textOf(
            "<div class=sidebar>"
                + MENU
                + "</div><div role=main>"
                + STORY
                + "<pre>mill.open();\nmill.turn();</pre>"
                + STORY
                + "</div>");

    assertThat(text).contains("mill.open(); mill.turn();").doesNotContain("Home");
  }

  @Test
  void findsNothingOnAPageOfLinks() {
    var main = MainText.of(Jsoup.parse(MENU.repeat(20)));

    assertThat(main.isEmpty()).isTrue();
    assertThat(main.text()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "<html>", "<body></body>", "<frameset><frame src=a></frameset>"})
  void findsNothingWhereNothingIs(String html) {
    assertThat(MainText.of(Jsoup.parse(html)).isEmpty()).isTrue();
  }

  @Test
  void readsADocumentWithoutHtmlElement() {
    assertThat(MainText.of(new Document("")).isEmpty()).isTrue();
  }

  @Test
  void leavesTheDocumentAsItIs() {
    var document = Jsoup.parse("<nav>" + MENU + "</nav><article>" + STORY + "</article>");
    var before = document.outerHtml();

    MainText.of(document);

    assertThat(document.outerHtml()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"div", "article", "h1", "a", "span", "li", "x-box"})
  void readsTagsNestedToAnyDepth(String tag) {
    var nested = new Element(tag).appendText(FIRST);
    for (var i = 0; i < 200_000; i++) nested = new Element(tag).appendChild(nested);
    var document = new Document("");
    document.appendChild(nested);

    assertThat(quickly(document).text()).isEqualTo(FIRST + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<p>a, b",
        "<br>",
        "x<br>",
        "<a href=x>link",
        "<h1>Head</h1>",
        "<article><h1>a</h1>b</article>",
        "<div class=comment>No.</div>",
        "<div class='a-b-c-d sharing'>",
        "\u00a0 "
      })
  void readsAnyNumberOfSiblings(String html) {
    var document = Jsoup.parse(html.repeat(100_000));

    assertThat(quickly(document).text()).isNotNull();
  }

  @Test
  void readsALongTextAndALongName() {
    var words = "word, ".repeat(200_000);
    var names = "commentcommentx-".repeat(60_000);
    var document = Jsoup.parse("<p>" + words + "</p><div class='" + names + "'>text</div>");

    assertThat(quickly(document).text()).startsWith("word, word,").hasSizeGreaterThan(1_000_000);
  }

  private static MainText quickly(Document document) {
    return assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          var text = new MainText[1];
          assertThat(CpuTime.of(() -> text[0] = MainText.of(document)))
              .isLessThan(Duration.ofSeconds(5));
          return text[0];
        });
  }

  private static String textOf(String html) {
    return MainText.of(Jsoup.parse(html)).text();
  }

  private static List<TextNode> textNodes(Document document, String selector) {
    var nodes = new ArrayList<TextNode>();
    for (var element : document.select(selector)) nodes.addAll(element.textNodes());
    return nodes;
  }
}
