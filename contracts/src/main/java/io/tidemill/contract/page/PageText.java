package io.tidemill.contract.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /// What the message carries as `text`: lower case, white space collapsed (C4.5).
  public String normalised() {
    return TextShape.lower(collapsed().readable());
  }

  /// What [#normalised] lost, in few bytes; none when that would be too many.
  public byte[] shape() {
    return wire().shape();
  }

  /// A text as a message carries it.
  ///
  /// @param normalised see [PageText#normalised]
  /// @param shape see [PageText#shape]
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  public record WireForm(String normalised, byte[] shape) {}

  /// Both at once, which costs half.
  public WireForm wire() {
    var collapsed = collapsed();
    var lower = TextShape.lower(collapsed.readable());
    return new WireForm(lower, TextShape.encode(collapsed, lower));
  }

  /// The text that had this normalised form and this shape.
  ///
  /// Characters that have no single upper case stay lower; without a shape that fits, all do.
  public static PageText of(String normalised, byte @Nullable [] shape) {
    var shaped = shape == null ? null : TextShape.decode(normalised, shape);
    return shaped == null ? new PageText(normalised, List.of()) : shaped;
  }

  /// The same with every run of white space as one line break, if it had one, or one space.
  PageText collapsed() {
    return WhiteSpace.collapse(this);
  }
}
