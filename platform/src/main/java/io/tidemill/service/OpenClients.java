package io.tidemill.service;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The clients that a role has opened: all of them are closed, the last one first, whichever fails.
public final class OpenClients implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OpenClients.class);

  private final Deque<AutoCloseable> clients = new ArrayDeque<>();

  /// Has it closed with the others.
  public <T extends AutoCloseable> T add(T client) {
    clients.push(client);
    return client;
  }

  @Override
  public void close() {
    for (var client : clients) {
      try {
        client.close();
      } catch (Exception gone) {
        log.debug("a client was gone already: {}", gone.getMessage());
      }
    }
  }
}
