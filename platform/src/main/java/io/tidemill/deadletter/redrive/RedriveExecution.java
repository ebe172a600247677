package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadLetterRef;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.redrive.Redrive.Action;
import io.tidemill.deadletter.redrive.RedriveStore.Held;
import io.tidemill.deadletter.redrive.RedriveStore.Next;
import io.tidemill.redis.RedisException;
import io.tidemill.service.Unavailable;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs one redrive as long as this process holds its lease.
///
/// For each dead letter the store records that it is about to be sent, then it is sent, then its
/// outcome is recorded. A successor finds at most one that is about to be sent, and its
/// [io.tidemill.deadletter.Redelivery] finds out whether it was. [RedriveOutcome#after] decides how
/// a dead letter ends.
final class RedriveExecution {
  private static final Logger log = LoggerFactory.getLogger(RedriveExecution.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
  private static final Duration RETRY_AFTER = Duration.ofMillis(250);
  private static final int MAX_ATTEMPTS = 20;

  private final Held held;
  private final RedriveStore redrives;
  private final DeadLetterCatalog catalog;
  private volatile String waitsFor = "";

  RedriveExecution(Held held, RedriveStore redrives, DeadLetterCatalog catalog) {
    this.held = held;
    this.redrives = redrives;
    this.catalog = catalog;
  }

  Held held() {
    return held;
  }

  /// What keeps it from continuing; empty = nothing.
  String waitsFor() {
    return waitsFor;
  }

  /// Returns when the redrive has ended, or another process has taken over.
  void run() throws InterruptedException {
    var found = redrives.find(held.id());
    if (found.isEmpty()) return;
    var redrive = found.get();
    var rate = new RateLimiter(redrive.order().rate(), System::nanoTime);
    var number = redrive.position().next();
    log.info(
        "{} {} continues at dead letter {}", redrive.order().action().wire(), held.id(), number);
    while (true) {
      var ref = redrives.deadLetter(held.id(), number);
      if (ref.isEmpty()) return;
      TimeUnit.NANOSECONDS.sleep(rate.next());
      if (new Step(redrive, number, ref.get()).run() != Next.GO) return;
      number++;
    }
  }

  /// One dead letter.
  private final class Step {
    private final Redrive redrive;
    private final int number;
    private final DeadLetterRef ref;
    // Recorded by an earlier attempt, of this process or of its predecessor.
    private Optional<String> checkpoint;

    Step(Redrive redrive, int number, DeadLetterRef ref) {
      this.redrive = redrive;
      this.number = number;
      this.ref = ref;
      checkpoint = redrive.checkpoint(number);
    }

    // A broker that does not answer is not the fault of the dead letter, and never ends it.
    Next run() throws InterruptedException {
      for (int attempts = 1; ; attempts++) {
        try {
          var next = attempt();
          if (next.isEmpty() && attempts >= MAX_ATTEMPTS) {
            next = end(new RedriveAttempt.Exhausted(attempts));
          }
          if (next.isPresent()) return next.get();
        } catch (Unavailable unavailable) {
          waitsFor = String.valueOf(unavailable.getMessage());
          attempts = Math.min(attempts, MAX_ATTEMPTS - 1);
        }
        if (Thread.interrupted()) throw new InterruptedException();
        var next = redrives.renew(held, waitsFor);
        if (next != Next.GO) return next;
        Thread.sleep(BACKOFF.after(attempts, ThreadLocalRandom.current()));
      }
    }

    /// @return empty when it is to be tried again in a moment
    private Optional<Next> attempt() throws InterruptedException {
      var source = catalog.source(ref.source());
      if (source.isEmpty()) return end(new RedriveAttempt.UnknownSource());
      try {
        return switch (redrive.order().action()) {
          case REDRIVE -> redrive(source.get());
          case DISCARD -> discard(source.get());
        };
      } catch (SourceFailure failure) {
        return end(new RedriveAttempt.Crashed(String.valueOf(failure.getMessage())));
      }
    }

    private Optional<Next> redrive(DeadLetterSource source) throws InterruptedException {
      var found = call(() -> source.redelivery(ref.id()));
      if (found.isEmpty()) {
        return end(new RedriveAttempt.Missing(Action.REDRIVE, checkpoint.isPresent()));
      }
      var redelivery = found.get();
      var earlier = checkpoint;
      if (earlier.isPresent() && call(() -> redelivery.alreadySent(earlier.get()))) {
        return end(new RedriveAttempt.AlreadySent());
      }
      var next = begin(earlier.isPresent() ? earlier.get() : call(redelivery::checkpoint));
      if (next != Next.GO) return Optional.of(next);
      var result = call(() -> redelivery.send("redrive " + held.id()));
      return end(new RedriveAttempt.Answered(result));
    }

    // Discarding is idempotent, so nothing need be found out before.
    private Optional<Next> discard(DeadLetterSource source) throws InterruptedException {
      var wasBegun = checkpoint.isPresent();
      var next = begin("");
      if (next != Next.GO) return Optional.of(next);
      return call(() -> source.discard(ref.id()))
          ? end(new RedriveAttempt.Discarded())
          : end(new RedriveAttempt.Missing(Action.DISCARD, wasBegun));
    }

    private Next begin(String mark) {
      var next = redrives.begin(held, number, mark);
      if (next == Next.GO) checkpoint = Optional.of(mark);
      return next;
    }

    private Optional<Next> end(RedriveAttempt attempt) {
      return RedriveOutcome.after(attempt, ref.id())
          .map(outcome -> {
            waitsFor = "";
            return redrives.record(held, number, outcome, redrive.isLast(number));
          });
    }

    // An interrupt that a client library has seen must not look like a failure of the dead letter.
    private static <T> T call(Supplier<T> question) throws InterruptedException {
      try {
        return question.get();
      } catch (RuntimeException failed) {
        if (Thread.interrupted()) throw new InterruptedException();
        throw switch (failed) {
          case Unavailable unavailable -> unavailable;
          case RedisException unavailable when !unavailable.isRefusal() ->
              new Unavailable("the store does not answer", RETRY_AFTER, unavailable);
          default -> new SourceFailure(failed);
        };
      }
    }
  }

  /// An unexpected exception ends one dead letter, and not the whole redrive.
  private static final class SourceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SourceFailure(RuntimeException cause) {
      super(cause.toString(), cause);
      log.warn("a dead letter can't be redriven or discarded", cause);
    }
  }
}
