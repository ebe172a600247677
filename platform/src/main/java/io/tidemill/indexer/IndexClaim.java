package io.tidemill.indexer;

import io.tidemill.redis.RedisException;
import io.tidemill.search.index.IndexLocation;
import io.tidemill.search.index.IndexRegistry;
import io.tidemill.search.index.IndexRegistry.Claim;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets the parts of an indexer run while its index is the one in use, so that the pages of one
/// installation are never split between two.
///
/// A refused indexer asks again, and goes on when the other one is gone for good. While Redis does
/// not answer, what it said last holds, but no longer than until another one may take over; and
/// after that the holder is the first to ask, since nobody could be heard meanwhile.
final class IndexClaim implements Service {
  private static final Logger log = LoggerFactory.getLogger(IndexClaim.class);

  private final @Nullable IndexRegistry registry;
  private final LuceneIndex index;
  private final Path folder;
  private final Duration takeOver;
  private final Supplier<Services> parts;
  private final PeriodicTask renewal =
      new PeriodicTask("index claim", IndexRegistry.EVERY, this::renew);
  private @Nullable Services running;
  private boolean wasGranted;
  private long grantedAt;
  private @Nullable Long silentAt;
  private volatile String refusal = "Redis has not been asked yet which index is in use";

  /// @param registry null when no other process asks for the index
  /// @param parts made anew for each time that the claim is granted
  IndexClaim(
      @Nullable IndexRegistry registry,
      LuceneIndex index,
      Path folder,
      Duration takeOver,
      Supplier<Services> parts) {
    this.registry = registry;
    this.index = index;
    this.folder = IndexLocation.absolute(folder);
    this.takeOver = takeOver;
    this.parts = parts;
  }

  @Override
  public String name() {
    return renewal.name();
  }

  /// Returns after the first answer, whatever it is.
  @Override
  public void start() {
    renew();
    renewal.start();
  }

  @Override
  public void stop() {
    renewal.stop();
    stopParts();
    if (!wasGranted || registry == null) return;
    try {
      registry.release();
    } catch (RedisException silent) {
      log.debug("the claim ends by itself: {}", silent.getMessage());
    }
  }

  /// The state in one line.
  ///
  /// @throws IllegalStateException that says why this indexer does not run
  String state() {
    var why = refusal;
    if (!why.isEmpty()) throw new IllegalStateException(why);
    return "writes the index in " + folder;
  }

  private synchronized void renew() {
    if (registry == null) granted();
    else renew(registry);
  }

  private void renew(IndexRegistry shared) {
    try {
      if (isToWait(shared)) return;
      switch (shared.claim(index.id(), folder, !wasGranted, takeOver)) {
        case Claim.Granted _ -> granted();
        case Claim.Refused(var other) -> refused(text(other, shared.self().host()));
      }
    } catch (RedisException silent) {
      var now = System.nanoTime();
      silentAt = now;
      if (running != null && now - grantedAt < longestSilence().toNanos()) return;
      refused("Redis does not say which index is in use: " + silent.getMessage());
    }
  }

  // An outage of Redis is no silence of the holder: it gets the time to renew its claim first.
  private boolean isToWait(IndexRegistry shared) {
    var silent = silentAt;
    if (running != null || silent == null) return false;
    var isOther =
        shared.current().filter(one -> one.isHeld() && !one.id().equals(index.id())).isPresent();
    return isOther && System.nanoTime() - silent < IndexRegistry.LASTS.toNanos();
  }

  private Duration longestSilence() {
    return takeOver.compareTo(IndexRegistry.LASTS) > 0 ? takeOver : IndexRegistry.LASTS;
  }

  private void granted() {
    grantedAt = System.nanoTime();
    silentAt = null;
    if (running != null) return;
    if (!refusal.isEmpty()) log.info("pages go to the index in {}", folder);
    var services = parts.get();
    services.start();
    running = services;
    wasGranted = true;
    refusal = "";
  }

  private void refused(String why) {
    if (!refusal.equals(why)) log.warn("{}", why);
    refusal = why;
    stopParts();
  }

  private synchronized void stopParts() {
    if (running != null) running.close();
    running = null;
  }

  private String text(IndexRegistry.Registered other, String host) {
    var isCopy = other.id().equals(index.id());
    return "this indexer does not run, so that pages are not split between two indexes: %s %s %s, and %s on %s is %s. One indexer is enough: stop this one, or the other; this one goes on when nothing has been heard of the other for %s%s"
        .formatted(
            other.indexer(),
            other.isHeld() ? "writes to" : "stopped a short time ago and wrote to",
            other.folder(),
            folder,
            host,
            isCopy ? "a copy of it" : "another index",
            isCopy ? seconds(IndexRegistry.LASTS) : seconds(takeOver),
            isCopy ? "" : " (indexer.take-over)");
  }

  private static String seconds(Duration span) {
    return span.toSeconds() + " s";
  }
}
