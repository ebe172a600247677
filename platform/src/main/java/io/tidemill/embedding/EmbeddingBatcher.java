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

/// A few threads that compute vectors for everybody, several rows at a time: the most urgent first,
/// and among those one row of each caller in turn, so that nobody waits behind a book.
///
/// They are threads of their own because native code holds the thread that it runs on: on virtual
/// threads it would hold up the rest of the process.
final class EmbeddingBatcher implements AutoCloseable {
  /// Longer rows are computed alone: together they would be no faster. It also makes them exact:
  /// the model's numbers are coarse, and what stands in the same batch changes the last of them.
  private static final int SHORT = 64;

  /// Beyond this many pieces a larger batch is no faster either, but takes more memory.
  private static final int PIECES = 256;

  private static final int ROWS = 32;

  /// Rows of one batch are filled up to the longest: only such that are nearly as long go together.
  private static final double ALIKE = 0.75;

  /// How far apart the turns of one caller are. Each row that is computed moves the time by one: so
  /// those who come all the time hold up nobody for ever.
  private static final int TURN = 16;

  private static final Comparator<Row> ORDER =
      Comparator.comparing(Row::urgency)
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
      int[] pieces,
      EmbeddingPriority urgency,
      long turn,
      long number,
      CompletableFuture<float[]> vector) {}

  EmbeddingBatcher(EmbeddingModel model, int count) {
    this.model = model;
    for (var urgency : EmbeddingPriority.values()) times.put(urgency, new AtomicLong());
    for (int i = 1; i <= count; i++) {
      threads.add(Thread.ofPlatform().daemon().name("embed-" + i).start(this::work));
    }
  }

  /// A place for the rows of one caller.
  Line line(EmbeddingPriority urgency) {
    return new Line(urgency);
  }

  /// The rows of one caller, in their order; for one thread.
  final class Line {
    private final EmbeddingPriority urgency;
    private long turn;

    private Line(EmbeddingPriority urgency) {
      this.urgency = urgency;
      turn = time(urgency).get();
    }

    /// The vector of a row, when its turn comes.
    CompletableFuture<float[]> submit(int[] pieces) {
      var number = numbers.getAndIncrement();
      var row = new Row(pieces, urgency, turn, number, new CompletableFuture<>());
      turn += TURN;
      waiting.add(row);
      if (closed) failAll();
      return row.vector();
    }
  }

  private AtomicLong time(EmbeddingPriority urgency) {
    return Objects.requireNonNull(times.get(urgency));
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
    var pieces = first.pieces().length;
    while (first.pieces().length <= SHORT && rows.size() < ROWS && pieces < PIECES) {
      var more = poll(first.urgency(), Math.min(SHORT, PIECES - pieces));
      if (more == null) break;
      rows.add(more);
      pieces += more.pieces().length;
    }
    return rows;
  }

  // Questions are computed alone: the same question has the same vector.
  private @Nullable Row poll(EmbeddingPriority urgency, int most) {
    if (urgency == EmbeddingPriority.QUESTION) return null;
    var head = waiting.poll();
    if (head == null || (head.urgency() == urgency && head.pieces().length <= most)) return head;
    waiting.add(head); // keeps its place: it has its turn and its number
    return null;
  }

  private void compute(List<Row> rows) {
    for (var row : rows) {
      time(row.urgency()).updateAndGet(time -> Math.max(time + 1, row.turn()));
    }
    rows.sort(Comparator.comparingInt(row -> -row.pieces().length));
    for (int from = 0; from < rows.size(); ) {
      var least = rows.get(from).pieces().length * ALIKE;
      var to = from + 1;
      while (to < rows.size() && rows.get(to).pieces().length >= least) to++;
      run(rows.subList(from, to));
      from = to;
    }
  }

  // Whoever waits must hear of it, whatever went wrong; an Error too.
  @SuppressWarnings("CatchingUnchecked")
  private void run(List<Row> rows) {
    if (rows.stream().allMatch(row -> row.vector().isDone())) return; // given up meanwhile
    try {
      var vectors = model.run(rows.stream().map(Row::pieces).toList());
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

  /// Ends after what is being computed: the model must not be freed under it.
  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    var hurried = false;
    for (var thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException again) {
          hurried = true;
        }
      }
    }
    if (hurried) Thread.currentThread().interrupt();
    failAll();
  }
}
