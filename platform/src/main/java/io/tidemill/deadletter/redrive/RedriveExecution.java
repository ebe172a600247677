package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadLetterRef;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.redrive.Redrive.Action;
import io.tidemill.deadletter.redrive.RedriveOutcome.Kind;
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

/// Works off one redrive as long as this process holds it.
///
/// Of each dead letter it is noted that it is about to be sent, then it is sent, then its outcome
/// is noted. Who takes over finds at most one that is about to be sent, and its
/// [io.tidemill.deadletter.Redelivery] tells whether it was.
final class RedriveExecution {
  private static final Logger log = LoggerFactory.getLogger(RedriveExecution.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
  private static final Duration RETRY_AFTER = Duration.ofMillis(250);
  private static final int MOST_TRIES = 20;
  private static final String SENT_BEFORE = "it had gone when its gateway stopped";

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

  /// What keeps it from going on; empty = nothing.
  String waitsFor() {
    return waitsFor;
  }

  /// Returns when the redrive has ended, or somebody else goes on with it.
  void run() throws InterruptedException {
    var found = redrives.find(held.id());
    if (found.isEmpty()) return;
    var redrive = found.get();
    var action = redrive.order().action();
    var pace = new RateLimiter(redrive.order().rate(), System::nanoTime);
    var number = redrive.position().next();
    log.info("{} {} goes on at dead letter {}", action.wire(), held.id(), number);
    while (true) {
      var ref = redrives.deadLetter(held.id(), number);
      if (ref.isEmpty()) return;
      TimeUnit.NANOSECONDS.sleep(pace.next());
      var step = new Step(number, action, ref.get(), redrive.checkpoint(number));
      if (step.handle() != Next.GO) return;
      number++;
    }
  }

  /// One dead letter.
  private final class Step {
    private final int number;
    private final Action action;
    private final DeadLetterRef ref;
    // Of whoever was about to handle it before, this process included.
    private Optional<String> checkpoint;

    Step(int number, Action action, DeadLetterRef ref, Optional<String> checkpoint) {
      this.number = number;
      this.action = action;
      this.ref = ref;
      this.checkpoint = checkpoint;
    }

    // A broker that does not answer is no fault of the dead letter: it waits, however long it
    // takes.
    Next handle() throws InterruptedException {
      for (int tries = 1; ; tries++) {
        try {
          var next = attempt();
          if (next.isPresent()) return next.get();
          if (tries >= MOST_TRIES) {
            return end(Kind.FAILED, "it could not go in " + tries + " tries");
          }
        } catch (Broken broken) {
          return end(Kind.FAILED, String.valueOf(broken.getMessage()));
        } catch (Unavailable silent) {
          waitsFor = String.valueOf(silent.getMessage());
          tries = Math.min(tries, MOST_TRIES - 1);
        }
        if (Thread.interrupted()) throw new InterruptedException();
        var next = redrives.renew(held, waitsFor);
        if (next != Next.GO) return next;
        Thread.sleep(BACKOFF.after(tries, ThreadLocalRandom.current()));
      }
    }

    /// @return empty when it is to be tried again in a moment
    private Optional<Next> attempt() throws InterruptedException {
      var source = catalog.source(ref.source());
      if (source.isEmpty()) {
        return Optional.of(end(Kind.FAILED, "this gateway has no such source"));
      }
      return switch (action) {
        case REDRIVE -> redrive(source.get());
        case DISCARD -> Optional.of(discard(source.get()));
      };
    }

    private Optional<Next> redrive(DeadLetterSource source) throws InterruptedException {
      var redelivery = call(() -> source.redelivery(ref.id()));
      if (redelivery.isEmpty()) return Optional.of(missing(Kind.REDRIVEN, checkpoint.isPresent()));
      var found = redelivery.get();
      var earlier = checkpoint;
      if (earlier.isPresent() && call(() -> found.alreadySent(earlier.get()))) {
        return Optional.of(end(Kind.REDRIVEN, SENT_BEFORE));
      }
      var next = begin(earlier.isPresent() ? earlier.get() : call(found::checkpoint));
      if (next != Next.GO) return Optional.of(next);
      var result = call(() -> found.send("redrive " + held.id()));
      return RedriveOutcome.after(result, ref.id()).map(this::end);
    }

    // To discard twice does no harm, so nothing need be found out before.
    private Next discard(DeadLetterSource source) throws InterruptedException {
      var wasBegun = checkpoint.isPresent();
      var next = begin("");
      if (next != Next.GO) return next;
      return call(() -> source.discard(ref.id()))
          ? end(Kind.DISCARDED, "")
          : missing(Kind.DISCARDED, wasBegun);
    }

    private Next begin(String mark) {
      var next = redrives.begin(held, number, mark);
      if (next == Next.GO) checkpoint = Optional.of(mark);
      return next;
    }

    private Next missing(Kind done, boolean wasBegun) {
      return wasBegun ? end(done, SENT_BEFORE) : end(Kind.SKIPPED, "it is no longer there");
    }

    private Next end(Kind kind, String detail) {
      return end(new RedriveOutcome(ref.id(), kind, detail));
    }

    private Next end(RedriveOutcome outcome) {
      waitsFor = "";
      return redrives.note(held, number, outcome);
    }

    // An interrupt that a client library has seen must not look like a failure of the dead letter.
    private static <T> T call(Supplier<T> question) throws InterruptedException {
      try {
        return question.get();
      } catch (RuntimeException failed) {
        if (Thread.interrupted()) throw new InterruptedException();
        throw switch (failed) {
          case Unavailable silent -> silent;
          case RedisException silent when !silent.isRefusal() ->
              new Unavailable("the store does not answer", RETRY_AFTER, silent);
          default -> new Broken(failed);
        };
      }
    }
  }

  /// One dead letter can't be handled for a reason that nobody thought of: no reason to stop.
  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken(RuntimeException cause) {
      super(cause.toString(), cause);
      log.warn("a dead letter can't be redriven or discarded", cause);
    }
  }
}
