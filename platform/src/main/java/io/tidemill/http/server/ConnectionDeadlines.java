package io.tidemill.http.server;

import io.tidemill.http.HttpConfig;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The times that one connection must keep; [ConnectionWatch] closes it when it does not.
final class ConnectionDeadlines {
  private static final Logger log = LoggerFactory.getLogger(ConnectionDeadlines.class);
  private static final long BASE = System.nanoTime();
  private static final long NONE = Long.MAX_VALUE;
  // a slow but honest upload earns a second for each of these
  private static final long BYTES_PER_SECOND = 64 * 1024;

  private final HttpConfig config;
  private final Runnable close;
  private boolean receiving;
  private boolean last;
  private long receiveBy = NONE;
  private volatile long deadline = NONE;
  private volatile boolean cut;

  ConnectionDeadlines(HttpConfig config, Runnable close) {
    this.config = config;
    this.close = close;
  }

  static long now() {
    return System.nanoTime() - BASE;
  }

  /// About to wait for bytes: of a request that has begun, or of one that may never come.
  void reading() {
    deadline = receiving ? receiveBy : now() + config.idleTimeout().toNanos();
  }

  void read(int bytes) {
    deadline = NONE;
    if (receiving) {
      receiveBy += Duration.ofSeconds(1).toNanos() * bytes / BYTES_PER_SECOND;
    } else {
      receive();
    }
  }

  /// Headers are complete: the body has its own time.
  void headRead() {
    receive();
  }

  /// The answer has begun: the next bytes belong to another request.
  void answering() {
    receiving = false;
  }

  /// No request follows this one; Helidon alone goes on after `Connection: close`.
  void closeAfterAnswer() {
    last = true;
  }

  boolean isLast() {
    return last;
  }

  /// What is still being sent may come for this long.
  void linger(Duration limit) {
    receiving = true;
    receiveBy = now() + limit.toNanos();
  }

  void writing() {
    deadline = now() + config.sseStall().toNanos();
  }

  void written() {
    deadline = NONE;
  }

  boolean isCut() {
    return cut;
  }

  void cutIfLate(long now) {
    if (cut || now < deadline) return;
    cut = true;
    log.debug("closing a connection that is too slow");
    try {
      close.run();
    } catch (RuntimeException alreadyClosed) {
      log.debug("it was closed already", alreadyClosed);
    }
  }

  private void receive() {
    receiving = true;
    receiveBy = now() + config.readTimeout().toNanos();
  }
}
