package io.tidemill.content.html;

import java.util.ArrayList;
import java.util.List;

/// Decides which blocks of a page are its main text.
final class MainBlocks {
  /// A page with less text has nothing to leave out.
  private static final int SHORT_PAGE = 250;

  /// With less than this found, and far more there, the names on the page have led astray.
  private static final int TOO_LITTLE = 150;

  private static final int FAR_MORE = 1000;

  private final List<TextBlock> blocks;
  private final boolean[] kept;
  private final boolean flows;

  private MainBlocks(List<TextBlock> blocks) {
    this.blocks = blocks;
    this.kept = new boolean[blocks.size()];
    this.flows = flows();
  }

  static List<TextBlock> of(TextSurvey survey) {
    AsideMarker.mark(survey.parts, new PartValues(survey.blocks));
    var found = choose(survey);
    if (chars(found) >= TOO_LITTLE || chars(survey.blocks) < FAR_MORE) return found;

    AsideMarker.clear(survey.parts);
    var more = choose(survey);
    return chars(more) >= FAR_MORE ? more : found;
  }

  private static List<TextBlock> choose(TextSurvey survey) {
    var beside = survey.blocks.stream().filter(block -> !block.part.aside).toList();
    if (chars(beside) < SHORT_PAGE) return beside;

    var part = MainPart.of(survey.parts, new PartValues(survey.blocks));
    if (part == null) return List.of();
    return new MainBlocks(survey.blocks.subList(part.first, part.end)).choose();
  }

  private static long chars(List<TextBlock> blocks) {
    return blocks.stream().mapToLong(TextBlock::chars).sum();
  }

  private List<TextBlock> choose() {
    for (var i = 0; i < kept.length; i++) kept[i] = isText(i);
    trimStart();
    trimEnd();

    var chosen = new ArrayList<TextBlock>();
    for (var i = 0; i < kept.length; i++) if (kept[i]) chosen.add(blocks.get(i));
    return chosen;
  }

  private boolean isText(int at) {
    var block = blocks.get(at);
    if (block.part.aside || (flows && isLabel(block))) return false;
    return switch (block.kind()) {
      // a paragraph that is a link leads to another page: "Read more: …"
      case PARAGRAPH -> block.linkDensity() < 0.8;
      case TITLE, HEADING -> block.linkDensity() < 0.5 || introduces(at);
      default -> block.linkDensity() < 0.5 || block.plain() > PartValues.LINE;
    };
  }

  /// A linked headline over a link list and one over a text of its own differ in what follows.
  private boolean introduces(int at) {
    if (at + 1 == kept.length) return false;
    var next = blocks.get(at + 1);
    return next.part.parent == blocks.get(at).part.parent
        && !next.part.aside
        && isLine(next)
        && next.linkDensity() < 0.5;
  }

  /// Dates, names of writers and the like, before the text begins.
  private void trimStart() {
    for (var i = 0; i < kept.length; i++) {
      var block = blocks.get(i);
      if (kept[i] && (isLine(block) || block.kind().isFlow())) return;
      kept[i] = false;
    }
  }

  /// Headings with nothing below them, and labels.
  private void trimEnd() {
    for (var i = kept.length - 1; i >= 0; i--) {
      var block = blocks.get(i);
      if (kept[i] && (isLine(block) || block.endsSentence() || isFlowText(block))) return;
      kept[i] = false;
    }
  }

  private boolean flows() {
    var flow = 0L;
    var all = 0L;
    for (var block : blocks) {
      if (block.part.aside) continue;
      all += block.plain();
      if (isFlowText(block)) flow += block.plain();
    }
    return 2 * flow > all;
  }

  /// A short line in a box of its own, where the text is in paragraphs: "Advertisement".
  private static boolean isLabel(TextBlock block) {
    return block.kind() == TagKind.BOX
        && block.chars() < PartValues.LINE
        && block.part.size() == 1
        && !block.endsSentence();
  }

  private static boolean isLine(TextBlock block) {
    return block.plain() >= PartValues.LINE && !block.kind().isHeading();
  }

  private static boolean isFlowText(TextBlock block) {
    return block.kind().isFlow() && !block.kind().isHeading();
  }
}
