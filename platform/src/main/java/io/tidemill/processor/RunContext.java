package io.tidemill.processor;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A workflow or task while this process holds it, with what is done for it.
final class RunContext {
  private final Execution flow;
  private final BooleanSupplier leased;
  private final ExecutionRunner.Work work;
  private final AtomicBoolean hasEnded = new AtomicBoolean();
  private volatile ExecutionRunner.@Nullable Run run;

  /// @param leased whether the lease is good, as far as this process can tell without asking
  RunContext(Execution flow, BooleanSupplier leased, ExecutionRunner.Work work) {
    this.flow = flow;
    this.leased = leased;
    this.work = work;
  }

  Execution flow() {
    return flow;
  }

  /// Whether it ends with this call; not when it has ended before.
  boolean end() {
    return !hasEnded.getAndSet(true);
  }

  boolean isLeased() {
    return leased.getAsBoolean();
  }

  /// Not made before it has a thread: the record may be long, and may be broken.
  ExecutionRunner.Run run() {
    var made = run;
    if (made == null) {
      made = work.of(flow);
      run = made;
    }
    return made;
  }
}
