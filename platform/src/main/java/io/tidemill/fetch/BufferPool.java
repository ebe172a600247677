package io.tidemill.fetch;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Buffers and inflaters that go from fetch to fetch: making them costs more than most pages do.
final class BufferPool implements AutoCloseable {
  private static final int KEPT = 64;
  private static final int SIZE = 64 * 1024;

  private final ArrayBlockingQueue<Scratch> free = new ArrayBlockingQueue<>(KEPT);

  /// A set for one fetch, taken when it is first needed.
  Loan loan() {
    return new Loan();
  }

  private Scratch take() {
    var scratch = free.poll();
    return scratch == null ? new Scratch() : scratch;
  }

  @Override
  public void close() {
    for (var scratch = free.poll(); scratch != null; scratch = free.poll()) {
      scratch.inflater.end();
    }
  }

  private static final class Scratch {
    private final byte[] wire = new byte[SIZE];
    private final Inflater inflater = new Inflater(true);
  }

  /// What one fetch uses; goes back when it is closed.
  final class Loan implements AutoCloseable {
    private @Nullable Scratch scratch;

    private Scratch scratch() {
      if (scratch == null) scratch = take();
      return scratch;
    }

    byte[] wire() {
      return scratch().wire;
    }

    /// For deflated bytes without a zlib header.
    Inflater inflater() {
      return scratch().inflater;
    }

    @Override
    public void close() {
      if (scratch != null && !free.offer(scratch)) scratch.inflater.end();
      scratch = null;
    }
  }
}
