package io.tidemill.processor.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '→',
      quoteCharacter = '\0',
      value = {
        "<p>Hi &amp; bye</p>→Hi & bye",
        "a <b>b</b>  c→a b c",
        "<head><title>x</title></head><STYLE>p{}</Style>y<script>1<2</script >z→yz",
        "a<!-- <p>no</p> -->b→ab",
        "<a href=\"https://x.org/?a=1&amp;b\">here</a>.→here (https://x.org/?a=1&b).",
        "<a class=\"c\" HREF = \"mailto:a@b.org\"><b>mail</b></a>→mail (mailto:a@b.org)",
        "<a href=\"javascript:x()\">no</a>→no",
        "<ul><li>one</li><li>two</li></ul>→- one|- two",
        "a<br/>b<BR>c</div>   d→a|b|c|d",
        "1 < 2→1 < 2",
        "&amp;lt;→&lt;",
        "a</p></p></p></p>b→a||b",
        "a<script>b→a",
      })
  void showsTheWords(String html, String words) {
    assertThat(HtmlText.of(html)).isEqualTo(words.replace('|', '\n') + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<",
        "<!--",
        "<a href=\"https://x\">",
        "<style>",
        "<title",
        "&nbsp;",
        "<a href ",
        "\n",
        "</a"
      })
  void noPageTakesForEver(String piece) { // F50
    assertThat(HtmlText.of(piece.repeat((1 << 20) / piece.length()))).endsWith("\n");
  }

  @Test
  void theOrderOfLinesAndSpacesIsKept() {
    assertThat(HtmlText.of(" a \n\n b &nbsp;<br> &nbsp; c ")).isEqualTo("a b\nc\n");
  }
}
