package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.ByteText;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.Redelivery;
import io.tidemill.deadletter.RedriveStore;
import io.tidemill.deadletter.RedriveStore.Action;
import io.tidemill.deadletter.RedriveStore.End;
import io.tidemill.deadletter.RedriveStore.Held;
import io.tidemill.deadletter.RedriveStore.Next;
import io.tidemill.deadletter.SourceErrors;
import io.tidemill.http.Response;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.service.Rounds;
import io.tidemill.service.Service;
import io.tidemill.service.Unavailable;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Works off what was asked to be redriven or discarded, that of gateways that died, too: each
/// letter once, in the order in which they were noted, not faster than was asked for.
///
/// Of each letter it is noted that it is about to go, then it goes, then what became of it is
/// noted. Who takes over finds at most one letter about to go, and its [Redelivery] tells whether
/// it went.
public final class RedriveRunner implements Service {
  private static final Logger log = LoggerFactory.getLogger(RedriveRunner.class);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration TIDY = Duration.ofMinutes(5);
  private static final Duration STOP = Duration.ofSeconds(10);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
  private static final int AT_ONCE = 4;
  private static final int MOST_TRIES = 20;
  private static final int LONGEST_DETAIL = 500;
  private static final String GONE_BEFORE = "it had gone when its gateway stopped";

  private final RedriveStore runs;
  private final DeadLetterCatalog letters;
  private final Map<Held, Thread> working = new ConcurrentHashMap<>();
  private final Map<Held, String> troubles = new ConcurrentHashMap<>();
  private final Rounds look;
  private final Rounds keep;
  private final Rounds tidy;
  private volatile boolean stopping;

  public RedriveRunner(RedriveStore runs, DeadLetterCatalog letters) {
    this.runs = runs;
    this.letters = letters;
    look = new Rounds("redrives", LOOK, this::look);
    keep = new Rounds("redrive leases", runs.lease().dividedBy(3), this::keep);
    tidy = new Rounds("notes on dead letters", TIDY, this::tidy);
  }

  @Override
  public String name() {
    return "redrives";
  }

  @Override
  public void start() {
    look.start();
    keep.start();
    tidy.start();
  }

  @Override
  public void stop() {
    stopping = true;
    tidy.stop();
    look.stop();
    working.values().forEach(Thread::interrupt);
    var deadline = System.nanoTime() + STOP.toNanos();
    for (var thread : working.values()) await(thread, deadline);
    keep.stop();
  }

  private static void await(Thread thread, long deadline) {
    try {
      thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      while (!stopping && working.size() < AT_ONCE) {
        var taken = runs.take();
        if (taken.isEmpty()) return;
        var held = taken.get();
        var thread = Thread.ofVirtual().name("redrive " + held.id()).unstarted(() -> work(held));
        working.put(held, thread);
        thread.start();
      }
    } catch (RedisException silent) {
      log.debug("no look at redrives: {}", silent.getMessage());
    }
  }

  private void keep() {
    for (var held : working.keySet()) {
      try {
        var next = runs.renew(held, troubles.getOrDefault(held, ""));
        var thread = working.get(held);
        if (next == Next.FENCED && thread != null) thread.interrupt();
      } catch (RedisException silent) {
        log.debug("redrive {} is not renewed: {}", held.id(), silent.getMessage());
      }
    }
  }

  private void tidy() {
    try {
      letters.tidy();
    } catch (RedisException silent) {
      log.debug("notes on dead letters are tidied later: {}", silent.getMessage());
    }
  }

  private void work(Held held) {
    try {
      workOff(held);
    } catch (InterruptedException told) {
      leave(held);
    } catch (RedisException silent) {
      // Its lease runs out, and whoever can reach the store goes on.
      log.warn("redrive {} stops here: {}", held.id(), silent.getMessage());
    } finally {
      working.remove(held);
      troubles.remove(held);
      letters.changed();
    }
  }

  private void leave(Held held) {
    Thread.interrupted(); // else the store would not be asked
    try {
      runs.leave(held);
    } catch (RedisException silent) {
      log.debug("redrive {} waits for its lease: {}", held.id(), silent.getMessage());
    }
  }

  private void workOff(Held held) throws InterruptedException {
    var facts = runs.find(held.id()).orElse(Map.of());
    var number = Integer.parseInt(facts.getOrDefault("next", "0"));
    var doing = Integer.parseInt(facts.getOrDefault("doing", "-1"));
    var action = action(facts);
    var pace = new RateLimiter(Integer.parseInt(facts.getOrDefault("rate", "1")), System::nanoTime);
    log.info("{} {} goes on at letter {}", action.wire(), held.id(), number);
    while (true) {
      var wanted = runs.letters(held.id(), number, 1);
      if (wanted.isEmpty()) return;
      TimeUnit.NANOSECONDS.sleep(pace.next());
      var mark =
          doing == number ? Optional.of(facts.getOrDefault("mark", "")) : Optional.<String>empty();
      var next = handle(new Step(held, number, action, wanted.getFirst()), mark);
      if (next != Next.GO) return;
      number++;
    }
  }

  private static Action action(Map<String, String> facts) {
    return Action.DISCARD.wire().equals(facts.get("action")) ? Action.DISCARD : Action.REDRIVE;
  }

  // What does not answer now is no fault of the letter: it waits, however long it takes.
  private Next handle(Step step, Optional<String> mark) throws InterruptedException {
    var held = step.held;
    var begun = mark;
    for (int tries = 1; ; tries++) {
      try {
        var next = step.take(begun);
        if (next.isPresent()) return next.get();
        begun = Optional.of(step.mark);
        if (tries >= MOST_TRIES)
          return step.end(End.FAILED, "it could not go in " + tries + " tries");
      } catch (Broken broken) {
        return step.end(End.FAILED, String.valueOf(broken.getMessage()));
      } catch (Unavailable silent) {
        troubles.put(held, String.valueOf(silent.getMessage()));
        // It may have gone all the same.
        begun = begun.or(() -> noted(step));
        tries = Math.min(tries, MOST_TRIES - 1);
      }
      if (Thread.interrupted()) throw new InterruptedException();
      var next = runs.renew(held, troubles.getOrDefault(held, ""));
      if (next != Next.GO) return next;
      Thread.sleep(BACKOFF.after(tries, ThreadLocalRandom.current()));
    }
  }

  private Optional<String> noted(Step step) {
    var facts = runs.find(step.held.id()).orElse(Map.of());
    return facts.getOrDefault("doing", "").equals(String.valueOf(step.number))
        ? Optional.of(facts.getOrDefault("mark", ""))
        : Optional.empty();
  }

  /// One letter.
  private final class Step {
    final Held held;
    final int number;
    final Action action;
    final RedriveStore.Wanted wanted;
    String mark = "";

    Step(Held held, int number, Action action, RedriveStore.Wanted wanted) {
      this.held = held;
      this.number = number;
      this.action = action;
      this.wanted = wanted;
    }

    /// @param begun the mark of whoever was about to do this before
    /// @return empty when it is to be tried again in a moment
    Optional<Next> take(Optional<String> begun) throws InterruptedException {
      var source = letters.sources().get(wanted.source());
      if (source == null) return Optional.of(end(End.FAILED, "this gateway has no such source"));
      var way = told(() -> way(source));
      if (way.isEmpty()) return Optional.of(missing(begun));
      if (begun.isPresent() && told(() -> way.get().hasGone(begun.get()))) {
        return Optional.of(end(done(), GONE_BEFORE));
      }
      mark = begun.isPresent() ? begun.get() : told(way.get()::mark);
      var next = runs.begin(held, number, mark);
      if (next != Next.GO) return Optional.of(next);
      return answered(told(() -> way.get().go("redrive " + held.id())), begun);
    }

    // To discard a letter twice does no harm, so nothing need be found out before.
    private Optional<Redelivery> way(DeadLetterSource source) {
      return switch (action) {
        case REDRIVE -> source.wayBack(wanted.id());
        case DISCARD -> Optional.of(_ -> source.discard(wanted.id()).orElseGet(SourceErrors::gone));
      };
    }

    private End done() {
      return switch (action) {
        case REDRIVE -> End.REDRIVEN;
        case DISCARD -> End.DISCARDED;
      };
    }

    private Next missing(Optional<String> begun) {
      return begun.isPresent()
          ? end(done(), GONE_BEFORE)
          : end(End.SKIPPED, "it is no longer there");
    }

    // An interrupt that a client library has seen must not look like a failure of the letter.
    private <T> T told(Supplier<T> question) throws InterruptedException {
      try {
        return question.get();
      } catch (RuntimeException failed) {
        if (Thread.interrupted()) throw new InterruptedException();
        throw switch (failed) {
          case Unavailable silent -> silent;
          case RedisException silent when !silent.isRefusal() ->
              new Unavailable("the store does not answer", LOOK, silent);
          default -> new Broken(failed);
        };
      }
    }

    private Optional<Next> answered(Response answer, Optional<String> begun) {
      var said = detail(answer);
      if (answer.status() / 100 == 2) return Optional.of(end(done(), said.text()));
      if (answer.status() == 404 && action == Action.DISCARD) return Optional.of(missing(begun));
      if (said.wasBefore() || answer.status() == 404) {
        return Optional.of(end(End.SKIPPED, said.text()));
      }
      if (isShort(answer)) {
        if (answer.status() == 409) return Optional.empty();
        if (answer.status() == 429) throw new Unavailable(said.text(), LOOK);
      }
      return Optional.of(end(End.FAILED, said.text()));
    }

    // Whether it is over within seconds, as it says.
    private static boolean isShort(Response answer) {
      return answer.headers().getOrDefault("Retry-After", "").length() == 1;
    }

    Next end(End end, String detail) {
      troubles.remove(held);
      var result =
          Json.object()
              .put("id", wanted.id())
              .put("status", end.wire())
              .put("detail", ByteText.cut(detail, LONGEST_DETAIL));
      return runs.note(held, number, end, Json.text(result));
    }
  }

  /// One letter can't be handled for a reason that nobody thought of: no reason to stop.
  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken(RuntimeException cause) {
      super(cause.toString(), cause);
      log.warn("a letter can't be redriven or discarded", cause);
    }
  }

  private record Said(String text, boolean wasBefore) {}

  private static Said detail(Response answer) {
    if (!(answer instanceof Response.Body body)) return new Said("", false);
    try {
      var tree = Json.parse(body.body());
      var detail = tree.path("detail").asString("");
      var text = detail.isEmpty() ? where(tree) : detail;
      return new Said(
          text, tree.has(SourceErrors.REDRIVEN_AT) || tree.has(SourceErrors.DISCARDED_AT));
    } catch (JacksonException silent) {
      return new Said("answered " + answer.status(), false);
    }
  }

  private static String where(JsonNode tree) {
    if (tree.has("job_id")) return "job " + tree.path("job_id").asString("");
    if (tree.has("taskId")) return "task " + tree.path("taskId").asString("");
    if (tree.has("queue")) return "queue " + tree.path("queue").asString("");
    if (tree.has("topic")) {
      return "%s-%s@%s"
          .formatted(
              tree.path("topic").asString(""),
              tree.path("partition").asString(""),
              tree.path("offset").asString(""));
    }
    return tree.has("discarded") ? "" : "crawl " + tree.path("id").asString("");
  }
}
