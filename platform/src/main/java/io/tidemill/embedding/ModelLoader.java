package io.tidemill.embedding;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loads the model once, in the background, on first use.
final class ModelLoader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ModelLoader.class);

  /// The pause between tries after a failure, such as a full disk.
  private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

  private final Path natives;
  private @Nullable CompletableFuture<EmbeddingModel> loading;
  private long failedAt;

  ModelLoader(Path natives) {
    this.natives = natives;
  }

  /// Starts to load, unless that was done.
  void begin() {
    var _ = load();
  }

  private synchronized CompletableFuture<EmbeddingModel> load() {
    var before = loading;
    if (before != null && !(before.isCompletedExceptionally() && mayRetry())) return before;
    var future = new CompletableFuture<EmbeddingModel>();
    loading = future;
    Thread.ofPlatform().daemon().name("model-load").start(() -> load(future));
    return future;
  }

  private boolean mayRetry() {
    return System.nanoTime() - failedAt > RETRY_AFTER.toNanos();
  }

  // Callers must get any failure: a library of another platform is an Error.
  @SuppressWarnings("CatchingUnchecked")
  private void load(CompletableFuture<EmbeddingModel> future) {
    var began = System.nanoTime();
    try {
      future.complete(EmbeddingModel.load(natives));
      log.info("the model {} is loaded ({} ms)", EmbeddingModel.NAME, millisSince(began));
    } catch (Throwable failed) {
      failedAt = System.nanoTime();
      log.warn("the embedding model can't be used: {}", failed.getMessage());
      future.completeExceptionally(failed);
    }
  }

  private static long millisSince(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
  }

  /// The model, if it is loaded.
  synchronized Optional<EmbeddingModel> ready() {
    var future = loading;
    return future != null && future.isDone() && !future.isCompletedExceptionally()
        ? Optional.of(future.join())
        : Optional.empty();
  }

  /// The model; waits for it.
  EmbeddingModel await() throws InterruptedException {
    try {
      return load().get();
    } catch (ExecutionException failed) {
      var cause = failed.getCause();
      var why =
          cause == null || cause.getMessage() == null ? failed.toString() : cause.getMessage();
      throw new EmbeddingException("the embedding model can't be used: " + why, failed);
    }
  }

  @Override
  public synchronized void close() {
    ready().ifPresent(EmbeddingModel::close);
  }
}
