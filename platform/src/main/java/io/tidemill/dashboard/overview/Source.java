package io.tidemill.dashboard.overview;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Something that is asked how it stands. Who asks waits for a moment only; a question that hangs
/// is not asked a second time.
///
/// For one asker at a time.
final class Source<T> {
  private final Callable<T> question;
  private final Duration every;
  private @Nullable CompletableFuture<T> asked;
  private @Nullable Found<T> last;
  private long lastAt;

  /// @param every how old an answer may be
  Source(Duration every, Callable<T> question) {
    this.every = every;
    this.question = question;
  }

  /// Asks, unless the last answer will do.
  void ask() {
    if (asked != null || isFresh()) return;
    var answer = new CompletableFuture<T>();
    asked = answer;
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

  private boolean isFresh() {
    return last != null && last.value() != null && System.nanoTime() - lastAt < every.toNanos();
  }

  /// The answer, if it comes in time.
  Found<T> answer(long giveUpAt) throws InterruptedException {
    var open = asked;
    if (open == null) return last == null ? Found.trouble("not asked yet") : last;
    try {
      var value = open.get(Math.max(0, giveUpAt - System.nanoTime()), TimeUnit.NANOSECONDS);
      return note(Found.of(value));
    } catch (TimeoutException _) {
      return Found.trouble("no answer in time");
    } catch (ExecutionException failed) {
      return note(Found.trouble(describe(failed.getCause())));
    }
  }

  private Found<T> note(Found<T> found) {
    asked = null;
    last = found;
    lastAt = System.nanoTime();
    return found;
  }

  // The first line, without passwords that an address may carry.
  private static String describe(@Nullable Throwable cause) {
    if (cause == null || cause.getMessage() == null) return "no answer";
    var line = cause.getMessage().lines().findFirst().orElse("no answer");
    return line.replaceAll("//[^/@\\s]*@", "//***@");
  }
}
