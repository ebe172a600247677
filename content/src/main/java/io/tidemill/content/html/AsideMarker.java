package io.tidemill.content.html;

import java.util.List;

/// Marks what stands beside the text of a page: menus, remarks of readers, share bars, captions.
final class AsideMarker {
  /// A caption is a line or two, not a gallery of paragraphs.
  private static final int CAPTION_BLOCKS = 4;

  private final PartValues values;

  private AsideMarker(PartValues values) {
    this.values = values;
  }

  static void mark(List<TextPart> parts, PartValues values) {
    var asides = new AsideMarker(values);
    for (var part : parts) {
      part.aside = (part.parent != null && part.parent.aside) || asides.isAside(part);
    }
  }

  static void clear(List<TextPart> parts) {
    for (var part : parts) part.aside = false;
  }

  private boolean isAside(TextPart part) {
    if (part.kind.isCore()) return false;
    // readers often write more than the author, so here the amount says nothing
    return part.has(NameHints.REMARK)
        || isCaption(part)
        || (isNamedAside(part) && 2 * values.of(part) < values.total());
  }

  private boolean isCaption(TextPart part) {
    return part.has(NameHints.PICTURE)
        && !part.has(NameHints.EMBED)
        && part.size() <= CAPTION_BLOCKS
        && 10 * values.of(part) < values.total();
  }

  private static boolean isNamedAside(TextPart part) {
    return part.kind == TagKind.ASIDE
        || part.has(NameHints.ASIDE | NameHints.CAPTION)
        || (part.has(NameHints.SOCIAL) && !part.has(NameHints.EMBED));
  }
}
