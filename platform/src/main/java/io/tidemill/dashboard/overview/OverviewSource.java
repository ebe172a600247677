package io.tidemill.dashboard.overview;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Something that is asked how it stands. Who asks waits for a moment only; a question that hangs
/// is not asked a second time.
///
/// For one asker at a time.
final class OverviewSource<T> {
  // So long the first answer may take: a connection has to be made for it.
  private static final Duration FIRST = Duration.ofSeconds(5);

  // A single late answer is no trouble: the one before counts for so long.
  private static final Duration LATE = Duration.ofSeconds(4);

  private final Callable<T> question;
  private final Duration every;
  private final LongSupplier nanos;
  private @Nullable CompletableFuture<T> asked;
  private @Nullable SourceReading<T> last;
  private long lastAt;
  private long askedAt;
  private long silentSince;
  private boolean isSilent;

  /// @param every how old an answer may be
  OverviewSource(Duration every, Callable<T> question) {
    this(every, question, System::nanoTime);
  }

  OverviewSource(Duration every, Callable<T> question, LongSupplier nanos) {
    this.every = every;
    this.question = question;
    this.nanos = nanos;
  }

  /// Asks, unless the last answer will do.
  void ask() {
    if (isAsked() || isFresh()) return;
    if (asked != null && !asked.isCompletedExceptionally()) isSilent = false;
    var answer = new CompletableFuture<T>();
    asked = answer;
    askedAt = nanos.getAsLong();
    if (!isSilent) silentSince = askedAt;
    isSilent = true;
    Thread.ofVirtual()
        .name("overview")
        .start(() -> {
          try {
            answer.complete(question.call());
          } catch (Exception | LinkageError failed) {
            answer.completeExceptionally(failed);
          }
        });
  }

  // What was answered when nobody looked any more is no answer to who looks now.
  private boolean isAsked() {
    return asked != null && (!asked.isDone() || isWithin(askedAt, LATE));
  }

  private boolean isFresh() {
    return last != null && last.value() != null && isWithin(lastAt, every);
  }

  private boolean isWithin(long since, Duration time) {
    return nanos.getAsLong() - since < time.toNanos();
  }

  /// The answer, if it comes in time.
  SourceReading<T> answer(long giveUpAt) throws InterruptedException {
    var open = asked;
    if (open == null) return last == null ? SourceReading.pending() : last;
    try {
      var value = open.get(Math.max(0, giveUpAt - System.nanoTime()), TimeUnit.NANOSECONDS);
      return note(SourceReading.of(value));
    } catch (TimeoutException _) {
      return late();
    } catch (ExecutionException failed) {
      return note(
          failed.getCause() instanceof NotKnownYet
              ? SourceReading.pending()
              : SourceReading.trouble(describe(failed.getCause())));
    }
  }

  private SourceReading<T> late() {
    if (last == null && isWithin(askedAt, FIRST)) return SourceReading.pending();
    if (last != null && last.value() != null && isWithin(lastAt, LATE)) return last;
    var seconds = Duration.ofNanos(nanos.getAsLong() - silentSince).toSeconds();
    return SourceReading.trouble("no answer for " + Math.max(1, seconds) + " s");
  }

  private SourceReading<T> note(SourceReading<T> found) {
    asked = null;
    last = found;
    if (found.value() != null) isSilent = false;
    lastAt = nanos.getAsLong();
    return found;
  }

  // The first line, without passwords that an address may carry.
  private static String describe(@Nullable Throwable cause) {
    if (cause == null || cause.getMessage() == null) return "no answer";
    var line = cause.getMessage().lines().findFirst().orElse("no answer");
    return line.replaceAll("//[^/@\\s]*@", "//***@");
  }
}
