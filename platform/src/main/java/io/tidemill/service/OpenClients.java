package io.tidemill.service;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Clients of a role, closed in reverse order; a failure does not keep the others open.
public final class OpenClients implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OpenClients.class);

  private final Deque<AutoCloseable> clients = new ConcurrentLinkedDeque<>();

  public <T extends AutoCloseable> T add(T client) {
    clients.push(client);
    return client;
  }

  @Override
  public void close() {
    for (var client : clients) {
      try {
        client.close();
      } catch (Exception failed) {
        log.debug("a client did not close: {}", failed.getMessage());
      }
    }
  }
}
