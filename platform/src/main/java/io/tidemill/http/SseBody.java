package io.tidemill.http;

import java.io.IOException;

/// Writes the events of one stream until it returns; an interrupt asks it to.
@FunctionalInterface
public interface SseBody {
  void writeTo(SseWriter out) throws IOException, InterruptedException;
}
