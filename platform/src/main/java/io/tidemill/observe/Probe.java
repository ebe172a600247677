package io.tidemill.observe;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Inspects one server or store in the background and caches the answer. Callers wait until their
/// deadline only, and share a question that hangs instead of asking it again.
public final class Probe<T> {
  // The first answer includes opening a connection.
  private static final Duration FIRST = Duration.ofSeconds(5);

  // A single late answer is no failure: the previous one stays valid for this long.
  private static final Duration LATE = Duration.ofSeconds(4);

  private final Callable<Reading<T>> question;
  private final Duration maxAge;
  private final LongSupplier nanos;
  private @Nullable CompletableFuture<Reading<T>> asked;
  private @Nullable Reading<T> last;
  private long lastAt;
  private long askedAt;
  private long silentSince;
  private boolean isSilent;

  /// @param maxAge how long an answer is cached
  /// @param question an exception counts as a failed reading
  public Probe(Duration maxAge, Callable<Reading<T>> question) {
    this(maxAge, question, System::nanoTime);
  }

  Probe(Duration maxAge, Callable<Reading<T>> question, LongSupplier nanos) {
    this.maxAge = maxAge;
    this.question = question;
    this.nanos = nanos;
  }

  /// A probe whose question returns a value or throws.
  public static <T> Probe<T> of(Duration maxAge, Callable<T> question) {
    return new Probe<>(maxAge, () -> Reading.of(question.call()));
  }

  /// Starts the question, unless it is running or the cached answer is fresh enough.
  public synchronized void ask() {
    if (isAsked() || isFresh()) return;
    if (asked != null && asked.join().value() != null) isSilent = false;
    var answer = new CompletableFuture<Reading<T>>();
    asked = answer;
    askedAt = nanos.getAsLong();
    if (!isSilent) silentSince = askedAt;
    isSilent = true;
    Thread.ofVirtual().name("probe").start(() -> answer.complete(read()));
  }

  private Reading<T> read() {
    try {
      return question.call();
    } catch (Exception | LinkageError failed) {
      return Reading.failed(describe(failed));
    }
  }

  // The first line, without the password that an address may contain.
  private static String describe(Throwable cause) {
    if (cause.getMessage() == null) return "no answer";
    var line = cause.getMessage().lines().findFirst().orElse("no answer");
    return line.replaceAll("//[^/@\\s]*@", "//***@");
  }

  // An answer that arrived long after its caller gave up is too old for the next caller.
  private boolean isAsked() {
    return asked != null && (!asked.isDone() || isWithin(askedAt, LATE));
  }

  private boolean isFresh() {
    return last != null && last.value() != null && isWithin(lastAt, maxAge);
  }

  private boolean isWithin(long since, Duration time) {
    return nanos.getAsLong() - since < time.toNanos();
  }

  /// The answer if it arrives in time, else the cached one while it may still count.
  ///
  /// @param deadline as of [System#nanoTime]
  public Reading<T> answer(long deadline) throws InterruptedException {
    var found = await(deadline);
    return found == null ? late() : found;
  }

  /// The answer; null when it does not arrive in time.
  ///
  /// @param deadline as of [System#nanoTime]
  public @Nullable Reading<T> await(long deadline) throws InterruptedException {
    CompletableFuture<Reading<T>> open;
    synchronized (this) {
      open = asked;
      if (open == null) return last == null ? Reading.pending() : last;
    }
    try {
      return keep(open, open.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
    } catch (TimeoutException _) {
      return null;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible); // read() catches what the question throws
    }
  }

  @SuppressWarnings("ReferenceEquality") // whether it is still this question that is open
  private synchronized Reading<T> keep(CompletableFuture<Reading<T>> open, Reading<T> found) {
    if (asked != open) return found;
    asked = null;
    last = found;
    lastAt = nanos.getAsLong();
    if (found.value() != null) isSilent = false;
    return found;
  }

  private synchronized Reading<T> late() {
    if (last == null && isWithin(askedAt, FIRST)) return Reading.pending();
    if (last != null && last.value() != null && isWithin(lastAt, LATE)) return last;
    var seconds = Duration.ofNanos(nanos.getAsLong() - silentSince).toSeconds();
    return Reading.failed("no answer for " + Math.max(1, seconds) + " s");
  }
}
