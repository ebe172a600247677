package io.tidemill.embedding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A few threads that compute vectors in batches: by priority, then one row of each caller in turn,
/// so that a short text does not wait behind a book.
///
/// They are platform threads because native code pins virtual ones.
final class EmbeddingBatcher implements AutoCloseable {
  /// Longer rows are computed alone: a batch would be no faster. It also makes them reproducible:
  /// with quantized weights, other rows of a batch change the last digits.
  private static final int MAX_SHORT = 64;

  /// A batch of more tokens is no faster, but takes more memory.
  private static final int MAX_TOKENS = 256;

  private static final int MAX_ROWS = 32;

  /// Rows are padded to the longest of a batch, so only rows of similar length share one.
  private static final double SIMILAR_LENGTH = 0.75;

  /// The distance between the turns of one caller. Each computed row advances the virtual time by
  /// one, so that new callers can't starve old ones.
  private static final int TURN = 16;

  private static final Comparator<Row> ORDER =
      Comparator.comparing(Row::priority)
          .thenComparingLong(Row::turn)
          .thenComparingLong(Row::number);

  private final PriorityBlockingQueue<Row> waiting = new PriorityBlockingQueue<>(64, ORDER);
  private final AtomicLong numbers = new AtomicLong();
  private final Map<EmbeddingPriority, AtomicLong> times = new EnumMap<>(EmbeddingPriority.class);
  private final List<Thread> threads = new ArrayList<>();
  private final EmbeddingModel model;
  private volatile boolean closed;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(
      int[] tokens,
      EmbeddingPriority priority,
      long turn,
      long number,
      CompletableFuture<float[]> vector) {}

  EmbeddingBatcher(EmbeddingModel model, int count) {
    this.model = model;
    for (var priority : EmbeddingPriority.values()) times.put(priority, new AtomicLong());
    for (int i = 1; i <= count; i++) {
      threads.add(Thread.ofPlatform().daemon().name("embed-" + i).start(this::work));
    }
  }

  /// A queue for the rows of one caller.
  CallerQueue queue(EmbeddingPriority priority) {
    return new CallerQueue(priority);
  }

  /// The rows of one caller, in their order; for one thread.
  final class CallerQueue {
    private final EmbeddingPriority priority;
    private long turn;

    private CallerQueue(EmbeddingPriority priority) {
      this.priority = priority;
      turn = time(priority).get();
    }

    /// The vector of a row, when its turn comes.
    CompletableFuture<float[]> submit(int[] tokens) {
      var number = numbers.getAndIncrement();
      var row = new Row(tokens, priority, turn, number, new CompletableFuture<>());
      turn += TURN;
      waiting.add(row);
      if (closed) failAll();
      return row.vector();
    }
  }

  private AtomicLong time(EmbeddingPriority priority) {
    return Objects.requireNonNull(times.get(priority));
  }

  private void work() {
    try {
      while (!closed) compute(next(waiting.take()));
    } catch (InterruptedException stop) {
      failAll();
    }
  }

  private List<Row> next(Row first) {
    var rows = new ArrayList<Row>();
    rows.add(first);
    var tokens = first.tokens().length;
    while (first.tokens().length <= MAX_SHORT && rows.size() < MAX_ROWS && tokens < MAX_TOKENS) {
      var more = poll(first.priority(), Math.min(MAX_SHORT, MAX_TOKENS - tokens));
      if (more == null) break;
      rows.add(more);
      tokens += more.tokens().length;
    }
    return rows;
  }

  // Questions are computed alone: the same question has the same vector.
  private @Nullable Row poll(EmbeddingPriority priority, int most) {
    if (priority == EmbeddingPriority.QUESTION) return null;
    var head = waiting.poll();
    if (head == null || (head.priority() == priority && head.tokens().length <= most)) return head;
    waiting.add(head); // turn and number keep its place
    return null;
  }

  private void compute(List<Row> rows) {
    for (var row : rows) {
      time(row.priority()).updateAndGet(time -> Math.max(time + 1, row.turn()));
    }
    rows.sort(Comparator.comparingInt(row -> -row.tokens().length));
    for (int from = 0; from < rows.size(); ) {
      var least = rows.get(from).tokens().length * SIMILAR_LENGTH;
      var to = from + 1;
      while (to < rows.size() && rows.get(to).tokens().length >= least) to++;
      run(rows.subList(from, to));
      from = to;
    }
  }

  // Callers must get any failure, an Error included.
  @SuppressWarnings("CatchingUnchecked")
  private void run(List<Row> rows) {
    if (rows.stream().allMatch(row -> row.vector().isDone())) return; // canceled meanwhile
    try {
      var vectors = model.run(rows.stream().map(Row::tokens).toList());
      for (int i = 0; i < rows.size(); i++) rows.get(i).vector().complete(vectors.get(i));
    } catch (Throwable failed) {
      rows.forEach(row -> row.vector().completeExceptionally(failed));
    }
  }

  private void failAll() {
    for (var row = waiting.poll(); row != null; row = waiting.poll()) {
      row.vector().completeExceptionally(new EmbeddingException("the model is closed"));
    }
  }

  /// Waits for the batch in progress, because the model must not be freed under it.
  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    var interrupted = false;
    for (var thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
    failAll();
  }
}
