package io.tidemill.content.html;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.TextNode;

/// What a page is about, without what stands around it: menus, remarks, share bars, footers.
///
/// It judges by where the sentences are, where the links are, and by the tags and names web authors
/// use; it knows no words of any language.
public final class MainText {
  private final List<TextBlock> blocks;
  private final Set<TextNode> nodes;

  private MainText(List<TextBlock> blocks) {
    this.blocks = blocks;
    this.nodes = Collections.newSetFromMap(new IdentityHashMap<>());
    for (var block : blocks) nodes.addAll(block.nodes);
  }

  /// Finds what the page is about, and leaves the document as it is.
  public static MainText of(Document document) {
    return new MainText(MainBlocks.of(TextSurvey.of(document)));
  }

  /// Whether a text node belongs to the main part.
  public boolean contains(TextNode node) {
    return nodes.contains(node);
  }

  /// Whether nothing stands out, so that all of the page is as good as any part.
  public boolean isEmpty() {
    return nodes.isEmpty();
  }

  /// The main part as text, one line a paragraph.
  public String text() {
    var text = new StringBuilder();
    for (var block : blocks) {
      var start = text.length();
      block.appendTo(text);
      if (text.length() > start) text.append('\n');
    }
    return text.toString();
  }
}
