package io.tidemill.app;

import io.tidemill.broker.streams.StreamSource;
import io.tidemill.service.Service;

/// Makes the queue and its group at the start, before anything is put into it.
record GroupStart(StreamSource source) implements Service {
  @Override
  public String name() {
    return "queue";
  }

  @Override
  public void start() {
    source.prepare();
  }

  @Override
  public void stop() {
    source.close();
  }
}
