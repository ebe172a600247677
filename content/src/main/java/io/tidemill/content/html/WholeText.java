package io.tidemill.content.html;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/// All text of a document's chapter, one line a block: unlike a web page, it has nothing around its
/// main text.
public final class WholeText {
  private WholeText() {}

  /// @param html HTML or XHTML; its encoding is found in it, or is UTF-8
  public static String of(byte[] html) {
    try {
      var text = new StringBuilder();
      Jsoup.parse(new ByteArrayInputStream(html), null, "").body().filter(walk(text));
      return text.toString();
    } catch (IOException neverInMemory) {
      throw new UncheckedIOException(neverInMemory);
    }
  }

  private static NodeFilter walk(StringBuilder text) {
    return new NodeFilter() {
      @Override
      public FilterResult head(Node node, int depth) {
        if (node instanceof TextNode words) text.append(line(words));
        if (!(node instanceof Element element)) return FilterResult.CONTINUE;
        if (isSkipped(element)) return FilterResult.SKIP_ENTIRELY;
        separate(element, text);
        return FilterResult.CONTINUE;
      }

      @Override
      public FilterResult tail(Node node, int depth) {
        if (node instanceof Element element) separate(element, text);
        return FilterResult.CONTINUE;
      }
    };
  }

  // Only blocks end lines, whatever the source has.
  private static String line(TextNode words) {
    return words.getWholeText().replace('\n', ' ').replace('\r', ' ');
  }

  // Readings beside characters (ruby) would be in the middle of words.
  private static boolean isSkipped(Element element) {
    return switch (element.normalName()) {
      case "script", "style", "template", "rt", "rp" -> true;
      default -> false;
    };
  }

  private static void separate(Element element, StringBuilder text) {
    if (element.normalName().equals("td") || element.normalName().equals("th")) text.append(' ');
    else if (element.isBlock() || element.normalName().equals("br")) text.append('\n');
  }
}
