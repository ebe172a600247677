package io.tidemill.content.html;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the part that holds what a page is about: from the whole page down, as long as one child
/// has nearly all of the text, or says by its tag or name that it is the text.
final class MainPart {
  private static final double NEARLY_ALL = 0.8;
  private static final double ALL_OF_BODY = 0.95;
  private static final double MARKED = 0.3;
  private static final double TITLED = 0.1;

  private final PartValues values;
  private final PartValues.Rivals bodies;
  private final PartValues.Rivals articles;
  private final boolean oneTitled;
  private @Nullable TextPart best;
  private long most;

  private MainPart(List<TextPart> parts, PartValues values) {
    this.values = values;
    this.bodies = values.rivals(parts, TextPart::isBody);
    this.articles = values.rivals(parts, TextPart::isArticle);
    this.oneTitled = parts.stream().filter(part -> part.titled).count() == 1;
    this.most = values.total();
  }

  /// Null if no part has text that reads like sentences.
  static @Nullable TextPart of(List<TextPart> parts, PartValues values) {
    var main = new MainPart(parts, values);
    for (var part : parts) main.consider(part);
    return main.best;
  }

  private void consider(TextPart part) {
    var value = values.of(part);
    if (value == 0 || part.aside || (best != null && !part.isWithin(best))) return;
    if (leadsOn(part, value)) {
      best = part;
      most = value;
    }
  }

  private boolean leadsOn(TextPart part, long value) {
    var share = (double) value / most;
    return share >= (isInText() ? ALL_OF_BODY : NEARLY_ALL)
        || (share >= MARKED && isMarked(part, value))
        || (share >= TITLED && part.titled && oneTitled);
  }

  private boolean isInText() {
    return best != null && (best.isBody() || best.titled);
  }

  private boolean isMarked(TextPart part, long value) {
    return part.kind == TagKind.MAIN
        || (part.isBody() && bodies.isMost(value))
        || (part.isArticle() && (articles.isMost(value) || articles.standsOut(value)));
  }
}
