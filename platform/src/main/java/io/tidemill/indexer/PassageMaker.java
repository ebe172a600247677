package io.tidemill.indexer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingException;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.passage.PassageUpdater;
import io.tidemill.service.Service;
import io.tidemill.service.StopSignal;
import io.tidemill.work.Backoff;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Computes the vectors of pages in the background: full-text search finds a page at once, vector
/// search a little later.
///
/// While pages are being indexed it uses only a part of the time, so that it does not slow them
/// down.
public final class PassageMaker implements Service {
  private static final Logger log = LoggerFactory.getLogger(PassageMaker.class);

  private static final String BEHIND = "search.vectors.behind";
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration STOP_WAIT = Duration.ofSeconds(20);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

  /// The ratio of pause to work while pages are being indexed.
  private static final int PAUSE_FACTOR = 4;

  private final Supplier<PassageUpdater> opened;
  private final StopSignal signal = new StopSignal();
  private final Thread thread = Thread.ofPlatform().name("passages").unstarted(this::run);
  private volatile @Nullable PassageUpdater updater;
  private volatile long behind;
  private int failures; // in a row; confined to the thread

  /// @param index folder of the pages
  public PassageMaker(Path index, Embedder embedder, MeterRegistry metrics) {
    opened = () -> new PassageUpdater(index, embedder);
    // The one that this one follows has left its own.
    var earlier = metrics.find(BEHIND).gauge();
    if (earlier != null) metrics.remove(earlier);
    Gauge.builder(BEHIND, () -> behind)
        .description("Changes of pages that can't be found by meaning yet")
        .register(metrics);
  }

  @Override
  public String name() {
    return "passages";
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void stop() {
    signal.stop();
    var open = updater;
    if (open != null) open.stop();
    try {
      if (!thread.join(STOP_WAIT)) log.warn("the vectors are still being written");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  // Continues even after an Error: without this thread no page would get vectors any more.
  @SuppressWarnings("CatchingUnchecked")
  private void run() {
    while (!signal.isStopping()) {
      try (var open = opened.get()) {
        updater = open;
        if (signal.isStopping()) return;
        update(open);
        return;
      } catch (EmbeddingException | SearchException failed) {
        if (++failures == 1) log.warn("vectors have to wait: {}", failed.getMessage());
        signal.rest(BACKOFF.after(failures, ThreadLocalRandom.current()));
      } catch (InterruptedException stop) {
        return;
      } catch (Throwable unexpected) {
        if (++failures == 1) log.error("making vectors failed", unexpected);
        signal.rest(BACKOFF.after(failures, ThreadLocalRandom.current()));
      } finally {
        updater = null;
      }
    }
  }

  private void update(PassageUpdater open) throws InterruptedException {
    var known = open.newest();
    while (!signal.isStopping()) {
      var began = System.nanoTime();
      var busy = open.round();
      failures = 0;
      behind = busy ? open.behind() : 0;
      var newest = open.newest();
      if (!busy) signal.rest(POLL);
      else if (newest != known)
        signal.rest(Duration.ofNanos(System.nanoTime() - began).multipliedBy(PAUSE_FACTOR));
      known = newest;
    }
  }
}
