package io.tidemill.crawler.document;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Reads PDF, Office, OpenDocument and EPUB documents in a few child processes, which are kept
/// warm, killed when a document takes too long, and replaced when they die (F49).
public final class DocumentReader implements AutoCloseable {
  // Parsers leak a little; a fresh process every so often costs nothing.
  private static final int DOCUMENTS_PER_CHILD = 500;

  private final DocumentConfig config;
  private final MeterRegistry meters;
  private final Semaphore places;
  private final ConcurrentLinkedDeque<ChildProcess> idle = new ConcurrentLinkedDeque<>();
  private final Set<ChildProcess> all = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public DocumentReader(DocumentConfig config, MeterRegistry meters) {
    this.config = config;
    this.meters = meters;
    this.places = new Semaphore(config.children(), true);
  }

  /// Whether a body is a document that is read here.
  public boolean reads(byte[] body, @Nullable String mediaType) {
    return DocumentType.of(body, mediaType).isPresent();
  }

  /// Reads a document; waits while all children are at work.
  ///
  /// @param mediaType what its sender says it is
  public DocumentReading read(byte[] body, @Nullable String mediaType) {
    var reading =
        DocumentType.of(body, mediaType)
            .map(type -> read(body, type))
            .orElseGet(() -> failed(DocumentReading.Cause.UNSUPPORTED, "not a document we read"));
    meters.counter("tidemill.documents", "outcome", outcome(reading)).increment();
    return reading;
  }

  private static String outcome(DocumentReading reading) {
    return switch (reading) {
      case ParsedDocument _ -> "done";
      case DocumentReading.Failed(var cause, _) -> cause.name().toLowerCase(Locale.ROOT);
    };
  }

  private DocumentReading read(byte[] body, DocumentType type) {
    if (body.length > config.maxInput().bytes()) {
      return failed(DocumentReading.Cause.TOO_LARGE, body.length + " bytes");
    }
    try {
      places.acquire();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return failed(DocumentReading.Cause.CRASHED, "stopped");
    }
    try {
      return readInChild(body, type);
    } catch (IOException cannotStart) {
      return failed(DocumentReading.Cause.CRASHED, "no child: " + cannotStart.getMessage());
    } finally {
      places.release();
    }
  }

  private DocumentReading readInChild(byte[] body, DocumentType type) throws IOException {
    var child = take();
    var settled = new AtomicBoolean();
    var done = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> killWhenLate(child, done, settled));
    try {
      var reading = child.read(body, type, config.maxText());
      // Of the answer and the timer one comes first: a child that is about to be killed is not
      // given to the next document.
      if (settled.compareAndSet(false, true)) giveBack(child);
      else discard(child);
      return reading;
    } catch (IOException broken) {
      discard(child);
      return settled.compareAndSet(false, true)
          ? failed(DocumentReading.Cause.CRASHED, "its child process died")
          : failed(DocumentReading.Cause.TIMEOUT, "took longer than " + config.timeout());
    } finally {
      done.countDown();
    }
  }

  private void killWhenLate(ChildProcess child, CountDownLatch done, AtomicBoolean settled) {
    try {
      if (done.await(config.timeout().toMillis(), TimeUnit.MILLISECONDS)) return;
      if (settled.compareAndSet(false, true)) child.kill();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private ChildProcess take() throws IOException {
    for (var child = idle.poll(); child != null; child = idle.poll()) {
      if (child.isAlive()) return child;
      all.remove(child);
    }
    var child = ChildProcess.start(config.heap().bytes());
    all.add(child);
    return child;
  }

  private void giveBack(ChildProcess child) {
    if (closed || child.documents() >= DOCUMENTS_PER_CHILD) discard(child);
    else idle.push(child);
  }

  private void discard(ChildProcess child) {
    all.remove(child);
    child.kill();
  }

  private static DocumentReading failed(DocumentReading.Cause cause, String reason) {
    return new DocumentReading.Failed(cause, reason);
  }

  /// The process ids of the children that run.
  List<Long> children() {
    return all.stream().filter(ChildProcess::isAlive).map(ChildProcess::pid).toList();
  }

  /// Ends the children; a document that is being read fails.
  @Override
  public void close() {
    closed = true;
    for (var child : all) child.close();
    all.clear();
    idle.clear();
  }
}
