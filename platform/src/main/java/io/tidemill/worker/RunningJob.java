package io.tidemill.worker;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.JobHandler;
import io.tidemill.api.RetryLater;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobStore.Held;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Outcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A job in the hands of its handler: carries events out, and the order to stop in.
final class RunningJob implements JobCall {
  private final JobEntry entry;
  private final Held held;
  private final JobStore store;
  private final long startedNanos;
  private final int ttlSeconds;
  private long renewedNanos;

  // Guarded by this.
  private @Nullable Long waitsSince;
  private long waitedNanos;

  // Both guarded by this: an interrupt must never reach the thread outside its handler.
  private @Nullable Thread thread;
  private @Nullable Outcome stopped;
  private long stoppedNanos;

  RunningJob(JobEntry entry, Held held, int ttlSeconds, JobStore store) {
    this.entry = entry;
    this.held = held;
    this.store = store;
    this.ttlSeconds = ttlSeconds;
    startedNanos = System.nanoTime();
    renewedNanos = startedNanos;
  }

  /// Runs the handler on this thread; whatever happens is an outcome.
  Outcome run(HandlerRegistry handlers) {
    var handler = handlers.forTask(entry.task());
    if (handler.isEmpty()) {
      return new Outcome.Failed(
          "HANDLER_MISSING", "no handler for the task '" + entry.task() + "' is installed");
    }
    synchronized (this) {
      if (stopped != null) return stopped;
      thread = Thread.currentThread();
    }
    var outcome = outcome(handler.get());
    synchronized (this) {
      thread = null;
      var _ = Thread.interrupted();
      return stopped == null ? outcome : stopped;
    }
  }

  // A plugin may throw anything, an Error included: the job ends, the worker goes on.
  @SuppressWarnings("CatchingUnchecked")
  private Outcome outcome(JobHandler handler) {
    try {
      return new Outcome.Done(handler.handle(this));
    } catch (JobFailure failure) {
      return new Outcome.Failed(failure.code(), String.valueOf(failure.getMessage()));
    } catch (RetryLater later) {
      return new Outcome.Retry(String.valueOf(later.getMessage()));
    } catch (RedisException unreachable) {
      // An event could not be appended: that is Redis' failure, not the job's.
      return new Outcome.Retry(String.valueOf(unreachable.getMessage()));
    } catch (InterruptedException interrupted) {
      return new Outcome.Retry("interrupted");
    } catch (Throwable broken) {
      JobWorker.log.warn("handler of {} failed", entry.task(), broken);
      return new Outcome.Failed("HANDLER_FAILED", message(broken));
    }
  }

  private static String message(Throwable broken) {
    var message = broken.getMessage();
    return message == null || message.isBlank()
        ? broken.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  /// Says that the job will be tried again; without Redis only the log hears of it.
  void tellRetry(String why) {
    var line = JobTransition.shown("will be tried again: " + why);
    JobWorker.log.info("{}", line);
    try {
      log(line);
    } catch (RedisException unreachable) {
      JobWorker.log.debug("followers are not told: {}", unreachable.getMessage());
    }
  }

  /// Ends the attempt from outside: the first reason counts.
  synchronized void stop(Outcome why) {
    if (stopped != null) return;
    stopped = why;
    stoppedNanos = System.nanoTime();
    if (thread != null) thread.interrupt();
  }

  /// Stops what ended meanwhile or is somebody else's by now; the handler need not know why. A
  /// canceled job's entry is still ours to acknowledge (C3.10).
  void stopUnlessRunning(String status) {
    switch (status) {
      case "running" -> {}
      case "canceled" -> stop(new Outcome.Canceled());
      default -> stop(new Outcome.Abandoned());
    }
  }

  /// Why the attempt was told to stop, if that was so long ago that its handler will not heed it.
  synchronized Optional<Outcome> ignoredStop(long now, long patienceNanos) {
    return thread != null && stopped != null && now - stoppedNanos > patienceNanos
        ? Optional.of(stopped)
        : Optional.empty();
  }

  Held held() {
    return held;
  }

  /// Whether it is time to renew: a third of the lease, or of the job's own life if that is
  /// shorter.
  boolean isDueForRenewal(long now, long leaseNanos) {
    return now - renewedNanos >= Math.min(leaseNanos, ttlSeconds * 1_000_000_000L) / 3;
  }

  void renewed(long now) {
    renewedNanos = now;
  }

  /// How long the attempt has been at work, without its waits.
  synchronized long nanosAtWork(long now) {
    return (waitsSince == null ? now : waitsSince) - startedNanos - waitedNanos;
  }

  @Override
  public synchronized void waits() {
    if (waitsSince == null) waitsSince = System.nanoTime();
  }

  @Override
  public synchronized void resumes() {
    if (waitsSince == null) return;
    waitedNanos += System.nanoTime() - waitsSince;
    waitsSince = null;
  }

  @Override
  public String id() {
    return entry.jobId();
  }

  @Override
  public JsonNode payload() {
    return entry.payload();
  }

  @Override
  public int attempt() {
    return held.lease().attempt();
  }

  @Override
  public void progress(double fraction, String message) {
    var part = Math.clamp(fraction, 0.0, 1.0);
    emit("progress", Json.object().put("fraction", part).put("message", message));
  }

  @Override
  public void log(String message) {
    emit("log", Json.object().put("message", message));
  }

  @Override
  public void token(String text, int take) {
    emit("token", Json.object().put("text", text).put("attempt", attempt()).put("try", take));
  }

  private void emit(String type, ObjectNode data) {
    var json = Json.text(data);
    var size = JobTransition.size(json);
    if (size > JobTransition.MAX_EVENT_DATA) {
      throw new IllegalArgumentException(
          "%s event has %d bytes, %d at most".formatted(type, size, JobTransition.MAX_EVENT_DATA));
    }
    stopUnlessRunning(store.emit(held, type, "worker." + entry.task(), json));
  }
}
