package io.tidemill.llm;

import io.tidemill.llm.LlmException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The time limits of one call. A thread closes an answer that is too slow: a server that drips
/// bytes would never let a read end by itself.
final class CallLimits implements AutoCloseable {
  private final LlmConfig config;
  private final long deadline;
  private final ModelRefusal refusal;
  private volatile long receivedNanos = System.nanoTime();
  private volatile boolean started;
  private volatile @Nullable LlmException reached;
  private volatile boolean done;
  private @Nullable Thread watch;

  /// @param deadline of the whole answer, as `System.nanoTime`
  CallLimits(LlmConfig config, long deadline, ModelRefusal refusal) {
    this.config = config;
    this.deadline = deadline;
    this.refusal = refusal;
  }

  /// A piece of the answer came.
  void received() {
    receivedNanos = System.nanoTime();
    if (started) return;
    started = true;
    LockSupport.unpark(watch); // another limit counts from here on
  }

  /// Nanoseconds until the first limit.
  long left() {
    var now = System.nanoTime();
    return Math.min(receivedNanos + silenceLimit().toNanos() - now, deadline - now);
  }

  private Duration silenceLimit() {
    return started ? config.silence() : config.firstToken();
  }

  /// Closes the stream when a limit is reached.
  void guard(InputStream stream) {
    watch = Thread.ofVirtual().name("llm-limits").start(() -> watch(stream));
  }

  private void watch(InputStream stream) {
    try {
      long left;
      while ((left = left()) > 0) {
        if (done) return;
        LockSupport.parkNanos(left);
      }
      reached = failure();
      stream.close();
    } catch (IOException broken) {
      // Its reader fails as well.
    }
  }

  /// The limit that ended the answer.
  Optional<LlmException> reached() {
    return Optional.ofNullable(reached);
  }

  /// The failure for the limit that is reached now.
  LlmException failure() {
    if (deadline - System.nanoTime() <= 0) return timeout(config);
    var setting = started ? "llm.silence" : "llm.first-token";
    return LlmException.transientFault(
        Kind.LLM_UNAVAILABLE,
        "%s was silent for %s s (%s)".formatted(refusal.host(), seconds(silenceLimit()), setting));
  }

  static LlmException timeout(LlmConfig config) {
    return LlmException.permanent(
        Kind.LLM_TIMEOUT,
        "the answer took longer than %s s (llm.timeout)".formatted(seconds(config.timeout())));
  }

  static String seconds(Duration span) {
    var millis = span.toMillis();
    return millis % 1000 == 0 ? String.valueOf(millis / 1000) : String.valueOf(millis / 1000.0);
  }

  @Override
  public void close() {
    done = true;
    LockSupport.unpark(watch);
  }
}
