package io.tidemill.worker;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.JobHandler;
import io.tidemill.api.RetryLater;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.contract.job.JobEvent;
import io.tidemill.contract.job.JobNames;
import io.tidemill.job.HeldJob;
import io.tidemill.job.JobQueue;
import io.tidemill.job.JobQueue.Hold;
import io.tidemill.job.JobTransition;
import io.tidemill.job.StartedJob;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Outcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at a job: the handler's view of it, and the means to stop it.
final class RunningJob implements JobCall {
  private final JobEntry entry;
  private final HeldJob held;
  private final StartedJob.Run started;
  private final JobQueue queue;
  private final long startedNanos;
  private long renewedNanos;

  // Guarded by this.
  private @Nullable Long waitsSince;
  private long waitedNanos;

  // Both guarded by this: an interrupt must never reach the thread outside its handler.
  private @Nullable Thread thread;
  private @Nullable Outcome stopped;
  private long stoppedNanos;

  RunningJob(JobEntry entry, HeldJob held, StartedJob.Run started, JobQueue queue) {
    this.entry = entry;
    this.held = held;
    this.started = started;
    this.queue = queue;
    startedNanos = System.nanoTime();
    renewedNanos = startedNanos;
  }

  /// Runs the handler on this thread; never throws.
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

  // A plugin may throw anything, an Error included: that ends the job, not the worker.
  @SuppressWarnings("CatchingUnchecked")
  private Outcome outcome(JobHandler handler) {
    try {
      return new Outcome.Done(handler.handle(this));
    } catch (JobFailure failure) {
      return new Outcome.Failed(failure.code(), String.valueOf(failure.getMessage()));
    } catch (RetryLater later) {
      return new Outcome.Retry(String.valueOf(later.getMessage()));
    } catch (RedisException failed) {
      // An event could not be appended. A refusal would come again, so it counts.
      var why = String.valueOf(failed.getMessage());
      return failed.isRefusal() ? new Outcome.Retry(why) : new Outcome.Deferred(why);
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

  /// Interrupts the handler; the first outcome counts.
  synchronized void stop(Outcome outcome) {
    if (stopped != null) return;
    stopped = outcome;
    stoppedNanos = System.nanoTime();
    if (thread != null) thread.interrupt();
  }

  /// Stops the attempt unless it may continue. A canceled job's entry is still ours to acknowledge
  /// (C3.10).
  void stopUnlessRunning(Hold hold) {
    switch (hold) {
      case RUNNING -> {}
      case CANCELED -> stop(new Outcome.Canceled());
      case LOST -> stop(new Outcome.Abandoned());
    }
  }

  /// The outcome of an attempt that was stopped and whose handler ignores its interrupt.
  synchronized Optional<Outcome> ignoredStop(long now, long patienceNanos) {
    return thread != null && stopped != null && now - stoppedNanos > patienceNanos
        ? Optional.of(stopped)
        : Optional.empty();
  }

  HeldJob held() {
    return held;
  }

  /// Whether a third of the lease, or of the job's ttl if that is shorter, is over.
  boolean isDueForRenewal(long now, long leaseNanos) {
    return now - renewedNanos >= Math.min(leaseNanos, started.ttlSeconds() * 1_000_000_000L) / 3;
  }

  void renewed(long now) {
    renewedNanos = now;
  }

  /// How long the attempt has run, without its waits.
  synchronized long runNanos(long now) {
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
    return started.attempt();
  }

  @Override
  public void progress(double fraction, String message) {
    var part = Math.clamp(fraction, 0.0, 1.0);
    emit(JobEvent.PROGRESS, Json.object().put("fraction", part).put("message", message));
  }

  @Override
  public void log(String message) {
    emit(JobEvent.LOG, Json.object().put("message", message));
  }

  @Override
  public void token(String text, int take) {
    emit(
        JobEvent.TOKEN, Json.object().put("text", text).put("attempt", attempt()).put("try", take));
  }

  private void emit(String type, ObjectNode data) {
    var json = Json.text(data);
    var size = JobTransition.size(json);
    if (size > JobTransition.MAX_EVENT_DATA) {
      throw new IllegalArgumentException(
          "%s event has %d bytes, %d at most".formatted(type, size, JobTransition.MAX_EVENT_DATA));
    }
    var event = new JobTransition.Event(type, JobNames.step(entry.task()), json);
    stopUnlessRunning(queue.emit(held, event));
  }
}
