package io.tidemill.observe;

import org.jspecify.annotations.Nullable;

/// A part of the current span that has none of its own, and ends when closed; where a body throws
/// exceptions of several kinds, [Traces#part] would make one of them.
public final class LeafSpan implements AutoCloseable {
  static final LeafSpan UNRECORDED = new LeafSpan(null);

  private final @Nullable LiveSpan span;

  LeafSpan(@Nullable LiveSpan span) {
    this.span = span;
  }

  /// Says that it failed.
  public void fail(Throwable why) {
    if (span != null) span.fail(why);
  }

  @Override
  public void close() {
    if (span != null) span.end();
  }
}
