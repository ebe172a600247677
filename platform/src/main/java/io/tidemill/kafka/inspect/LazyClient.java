package io.tidemill.kafka.inspect;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A Kafka client that is opened on first use, and again after it was closed: a host name that does
/// not resolve yet must not keep a process from starting.
final class LazyClient<T> implements AutoCloseable {
  private final Supplier<T> opening;
  private final Consumer<T> closing;
  private @Nullable T client;

  LazyClient(Supplier<T> opening, Consumer<T> closing) {
    this.opening = opening;
    this.closing = closing;
  }

  synchronized T get() {
    var open = client;
    if (open == null) {
      open = opening.get();
      client = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    if (client != null) closing.accept(client);
    client = null;
  }
}
