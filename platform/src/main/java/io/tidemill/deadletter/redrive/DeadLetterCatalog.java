package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.deadletter.DeadLetter;
import io.tidemill.deadletter.DeadLetterEdit;
import io.tidemill.deadletter.DeadLetterFilter;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.deadletter.source.JobDeadLetters;
import io.tidemill.job.JobsConfig;
import io.tidemill.redis.Redis;
import io.tidemill.schema.SchemaViolation;
import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// All dead letters, wherever they lie. A source that does not answer keeps nobody from seeing the
/// others.
public final class DeadLetterCatalog {
  /// The name of all sources together.
  public static final String ALL = "all";

  private static final Logger log = LoggerFactory.getLogger(DeadLetterCatalog.class);
  private static final Duration LIFE = Duration.ofSeconds(3);
  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  /// What was seen of a source.
  ///
  /// @param deadLetters those that were discarded among them
  /// @param total how many others there are, those included that were not looked at
  /// @param trouble why nothing could be seen; null when it could
  public record Seen(
      String source, List<DeadLetter> deadLetters, long total, @Nullable String trouble) {
    public Seen {
      deadLetters = List.copyOf(deadLetters);
    }
  }

  /// How many a source has that were not discarded.
  ///
  /// @param trouble why that is not known; null when it is
  public record Counted(
      String source, String carrier, long total, long waiting, @Nullable String trouble) {}

  private final Map<String, DeadLetterSource> sources = new TreeMap<>();
  private final Map<String, SharedResult<Seen>> seen = new TreeMap<>();
  private final Map<String, SharedResult<Counted>> counted = new TreeMap<>();

  /// @param more where else than among jobs things end up, by the name under which clients ask
  public DeadLetterCatalog(
      Redis redis, JobsConfig config, InstantSource clock, Map<String, DeadLetterSource> more) {
    sources.putAll(more);
    var jobs = new DeadJobStore(redis, config, clock);
    var notes = new HandledNotes(JobDeadLetters.NAME, new HandledDeadLetterStore(redis), clock);
    sources.put(JobDeadLetters.NAME, new JobDeadLetters(jobs, config, notes));
    sources.forEach((name, source) -> {
      seen.put(name, new SharedResult<>(LIFE, () -> look(name, source)));
      counted.put(name, new SharedResult<>(LIFE, () -> count(name, source)));
    });
  }

  /// The names under which clients ask, without [#ALL].
  public Set<String> names() {
    return Collections.unmodifiableSet(sources.keySet());
  }

  public Optional<DeadLetterSource> source(String name) {
    return Optional.ofNullable(sources.get(name));
  }

  /// One dead letter, whole; empty when no source has it.
  public Optional<ObjectNode> find(String id) {
    return first(source -> source.find(id));
  }

  /// What keeps one, changed so, from fitting its contract; empty when no source has it.
  public Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit) {
    return first(source -> source.check(id, edit));
  }

  /// Sends one back where it came from; empty when no source has it.
  ///
  /// @param again even if that was done before
  public Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again) {
    var result = first(source -> source.redrive(id, edit, again));
    changed();
    return result;
  }

  /// Throws one away.
  ///
  /// @return whether a source had it
  public boolean discard(String id) {
    var isDiscarded = sources.values().stream().anyMatch(source -> source.discard(id));
    changed();
    return isDiscarded;
  }

  // Ids differ in shape, so at most one source knows it.
  private <T> Optional<T> first(Function<DeadLetterSource, Optional<T>> question) {
    return sources.values().stream().map(question).flatMap(Optional::stream).findFirst();
  }

  /// Those of them that pass the filter.
  public static Stream<DeadLetter> matching(List<Seen> seen, DeadLetterFilter filter) {
    return seen.stream().flatMap(each -> each.deadLetters().stream()).filter(filter);
  }

  /// What can be seen of a source or of all of them, no older than a few seconds.
  ///
  /// @param name one of [#names], or [#ALL]
  public List<Seen> seen(String name) {
    var one = seen.get(name);
    if (one == null && !name.equals(ALL)) throw new IllegalArgumentException("no source " + name);
    var wanted = one == null ? seen.values() : List.of(one);
    return atOnce(wanted.stream().<Supplier<Seen>>map(each -> each::answer).toList());
  }

  public List<Counted> counted() {
    return atOnce(counted.values().stream().<Supplier<Counted>>map(each -> each::answer).toList());
  }

  /// Something was changed: whoever asks next sees it.
  public void changed() {
    seen.values().forEach(SharedResult::forget);
    counted.values().forEach(SharedResult::forget);
  }

  /// Forgets what was noted about dead letters that are gone.
  void tidy() {
    for (var source : sources.entrySet()) {
      try {
        source.getValue().tidy();
      } catch (Unavailable silent) {
        log.debug("the notes on {} are tidied later: {}", source.getKey(), silent.getMessage());
      }
    }
  }

  private static Seen look(String name, DeadLetterSource source) {
    try {
      // Cheaper, and does not wait as long for a broker that is away.
      if (source.total() == 0) return new Seen(name, List.of(), 0, null);
      var page = source.newest(System.nanoTime() + LOOK.toNanos());
      return new Seen(
          name,
          page.dead().stream().map(row -> DeadLetter.of(name, row)).toList(),
          Math.max(0, page.total() - source.discarded()),
          null);
    } catch (Unavailable silent) {
      return new Seen(name, List.of(), 0, silent.getMessage());
    }
  }

  private static Counted count(String name, DeadLetterSource source) {
    try {
      var total = Math.max(0, source.total() - source.discarded());
      var waiting = Math.min(total, source.waiting());
      return new Counted(name, source.carrier(), total, waiting, null);
    } catch (Unavailable silent) {
      return new Counted(name, source.carrier(), 0, 0, silent.getMessage());
    }
  }

  // Those that are away take their time each: not one after the other.
  private static <T> List<T> atOnce(Collection<Supplier<T>> questions) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<T>();
      var asked = threads.invokeAll(questions.stream().<Callable<T>>map(q -> q::get).toList());
      for (var each : asked) answers.add(each.get());
      return answers;
    } catch (ExecutionException failed) {
      log.warn("the dead letters can't be seen", failed.getCause());
      throw new Unavailable("the dead letters can't be seen now", RETRY_AFTER, failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("the gateway is stopping", RETRY_AFTER, stopped);
    }
  }
}
