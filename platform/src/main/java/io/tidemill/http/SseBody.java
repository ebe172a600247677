package io.tidemill.http;

import java.io.IOException;

/// Writes the events of one stream; returning ends it, an interrupt asks it to end.
@FunctionalInterface
public interface SseBody {
  void writeTo(SseWriter out) throws IOException, InterruptedException;
}
