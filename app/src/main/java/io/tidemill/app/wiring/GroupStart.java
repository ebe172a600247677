package io.tidemill.app.wiring;

import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.service.Service;

/// Makes the queue and its group at the start, before anything is put into it.
record GroupStart(StreamConsumer source) implements Service {
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
