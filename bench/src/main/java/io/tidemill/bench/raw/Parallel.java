package io.tidemill.bench.raw;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;

/// The same work on several threads; the first failure ends it.
public final class Parallel {
  private Parallel() {}

  /// Returns when all have returned.
  public static void run(ExecutorService threads, int times, Callable<Void> work)
      throws IOException, InterruptedException {
    var all = new ArrayList<Callable<Void>>();
    for (int i = 0; i < times; i++) all.add(work);
    for (var one : threads.invokeAll(all)) {
      try {
        one.get();
      } catch (ExecutionException failed) {
        throw new IOException("the work broke off: " + failed.getCause(), failed);
      }
    }
  }
}
