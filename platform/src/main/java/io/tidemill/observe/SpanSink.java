package io.tidemill.observe;

/// Takes spans that have ended. It neither blocks nor throws: whoever did the work has to go on.
public interface SpanSink {
  /// Takes none.
  SpanSink NONE = _ -> {};

  void accept(Span span);
}
