package io.tidemill.http.server;

import io.tidemill.http.HttpConfig;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The deadlines of one connection; [ConnectionWatch] closes it when one has passed.
final class ConnectionDeadlines {
  private static final Logger log = LoggerFactory.getLogger(ConnectionDeadlines.class);
  private static final long BASE = System.nanoTime();
  private static final long NONE = Long.MAX_VALUE;
  // A slow upload gets another second for each of these.
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

  /// Begins a read: of a request that has begun, or of one that may never come.
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

  /// Starts the time of a request, and again that of its body when the headers are complete.
  void receive() {
    receiving = true;
    receiveBy = now() + config.readTimeout().toNanos();
  }

  /// The response has begun: the next bytes belong to another request.
  void answering() {
    receiving = false;
  }

  /// Takes no further request: Helidon itself goes on after `Connection: close`.
  void closeAfterAnswer() {
    last = true;
  }

  boolean isLast() {
    return last;
  }

  /// Limits the time for the rest of an unread body.
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
      log.debug("the connection was closed already", alreadyClosed);
    }
  }
}
