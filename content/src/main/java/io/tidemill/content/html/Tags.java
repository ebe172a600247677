package io.tidemill.content.html;

import java.util.HashMap;
import java.util.Map;

/// How an HTML element takes part in the text of its page.
enum Tags {
  /// Its content is not shown.
  SILENT(
      "script style noscript template iframe object embed svg canvas audio video datalist head"
          + " title meta link base noframes noembed rp"),
  /// It begins and ends a line.
  BLOCK(
      "address article aside blockquote body center dd details dialog dir div dl dt fieldset"
          + " figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend"
          + " li listing main menu nav ol optgroup p plaintext pre search section summary table"
          + " tbody tfoot thead tr ul xmp br caption"),
  /// It stands apart within its line.
  APART("td th option button select input textarea label img"),
  INLINE("");

  private static final Map<String, Tags> BY_NAME = new HashMap<>();

  private final String names;

  static {
    for (var kind : values()) {
      for (var name : kind.names.split(" ", -1)) BY_NAME.put(name, kind);
    }
  }

  Tags(String names) {
    this.names = names;
  }

  static Tags of(String name) {
    return BY_NAME.getOrDefault(name, INLINE);
  }
}
