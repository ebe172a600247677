package io.tidemill.contract.page;

import java.util.List;

/// The text of a page for people: its own case, one line a paragraph, and which parts of it are
/// what the page is about.
///
/// @param main parts of `readable`, in order, not overlapping; empty = all of it
public record PageText(String readable, List<Span> main) {
  /// A part of a text.
  ///
  /// @param end the first character behind it
  public record Span(int start, int end) {}

  public PageText {
    main = List.copyOf(main);
  }
}
