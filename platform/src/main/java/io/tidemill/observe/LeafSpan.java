package io.tidemill.observe;

import org.jspecify.annotations.Nullable;

/// A child of the current span that has no children and ends when closed: for bodies that throw
/// several kinds of checked exceptions, which [Traces#part] would widen to one.
public final class LeafSpan implements AutoCloseable {
  static final LeafSpan UNRECORDED = new LeafSpan(null);

  private final @Nullable ActiveSpan span;

  LeafSpan(@Nullable ActiveSpan span) {
    this.span = span;
  }

  public void fail(Throwable why) {
    if (span != null) span.fail(why);
  }

  @Override
  public void close() {
    if (span != null) span.end();
  }
}
