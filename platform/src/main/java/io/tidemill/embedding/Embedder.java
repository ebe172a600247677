package io.tidemill.embedding;

import io.tidemill.embedding.Embedding.Part;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Turns texts into vectors by the built-in model, without network (C3.11).
///
/// The model is loaded when it is first needed, or by [#warm], in the background.
public final class Embedder implements AutoCloseable {
  /// The tokens that the model reads at once, without its two special ones.
  static final int SIZE = 254;

  private static final int OVERLAP = 40;
  private static final int MAX_TITLE = 32;
  private static final Duration POLL = Duration.ofMillis(200);

  private final EmbeddingConfig config;
  private final ModelLoader loader;
  private @Nullable EmbeddingBatcher batcher;
  private boolean closed;

  /// @param natives folder for the native library
  public Embedder(EmbeddingConfig config, Path natives) {
    this.config = config;
    loader = new ModelLoader(natives);
  }

  /// Whether the configuration allows it.
  public boolean isEnabled() {
    return config.enabled();
  }

  /// Begins to load the model, without waiting for it.
  public void warm() {
    if (isEnabled()) loader.begin();
  }

  /// Whether the model is loaded.
  public boolean isReady() {
    return isEnabled() && loader.ready().isPresent();
  }

  /// The model's name: vectors of different models have nothing in common.
  public String model() {
    return EmbeddingModel.NAME;
  }

  /// How many numbers a vector has.
  public int dimensions() {
    return EmbeddingModel.DIMENSIONS;
  }

  /// Whether the model has learned a word as a whole; others it reads in pieces, and their vectors
  /// tell little about them.
  ///
  /// @throws EmbeddingException when the model can't be used
  public boolean knows(String word) throws InterruptedException {
    return ready().knows(word);
  }

  /// The vector of a short text with the highest priority, such as a question; the rest of a long
  /// text is ignored.
  ///
  /// @throws EmbeddingException when the model can't be used
  public float[] question(String text) throws InterruptedException {
    return Traces.part(SpanKind.LLM, "embed question", () -> await(submit(text), () -> false));
  }

  /// The same; empty when it takes longer than the limit.
  ///
  /// @throws EmbeddingException when the model can't be used
  public Optional<float[]> question(String text, Duration limit) throws InterruptedException {
    var vector = submit(text);
    try {
      return Optional.of(vector.get(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException busy) {
      return Optional.empty();
    } catch (ExecutionException failed) {
      throw failure(failed);
    } finally {
      vector.cancel(false);
    }
  }

  private CompletableFuture<float[]> submit(String text) throws InterruptedException {
    var tokenized = ready().tokenize(text);
    var ids = tokenized.part(0, Math.min(tokenized.size(), SIZE)).ids();
    return batcher().queue(EmbeddingPriority.QUESTION).submit(ids);
  }

  /// The vectors of texts of any length.
  ///
  /// @throws EmbeddingException when the model can't be used
  public List<Embedding> embed(List<String> texts, EmbeddingPriority priority)
      throws InterruptedException {
    return Traces.part(SpanKind.LLM, "embed", () -> embedAll(texts, priority));
  }

  private List<Embedding> embedAll(List<String> texts, EmbeddingPriority priority)
      throws InterruptedException {
    Traces.note("texts", texts.size());
    var pending = new ArrayList<List<Pending>>();
    var queue = batcher().queue(priority);
    try {
      for (var text : texts) pending.add(begin(new int[0], text, queue));
      var done = new ArrayList<Embedding>();
      for (var parts : pending) done.add(whole(ended(parts, () -> false)));
      return done;
    } finally {
      pending.forEach(Embedder::cancel);
    }
  }

  /// The vectors of a page's passages. Each is read together with the page's title, which often
  /// names the subject.
  ///
  /// @param isCanceled checked while waiting; true ends the call as an interrupt does
  /// @throws EmbeddingException when the model can't be used
  public List<Part> passages(
      String title, String text, EmbeddingPriority priority, BooleanSupplier isCanceled)
      throws InterruptedException {
    var heading = ready().tokenize(title);
    var ids = heading.part(0, Math.min(heading.size(), MAX_TITLE)).ids();
    return ended(begin(ids, text, batcher().queue(priority)), isCanceled);
  }

  private record Pending(TextPassage passage, CompletableFuture<float[]> vector) {}

  private List<Pending> begin(int[] heading, String text, EmbeddingBatcher.CallerQueue queue)
      throws InterruptedException {
    var tokenized = ready().tokenize(text);
    var pending = new ArrayList<Pending>();
    for (var range : new PassageSplitter(SIZE - heading.length, OVERLAP).of(tokenized)) {
      var part = tokenized.part(range.from(), range.to());
      var ids = new int[heading.length + part.size()];
      System.arraycopy(heading, 0, ids, 0, heading.length);
      System.arraycopy(part.ids(), 0, ids, heading.length, part.size());
      pending.add(new Pending(passage(part, ids.length), queue.submit(ids)));
    }
    return pending;
  }

  private static TextPassage passage(TokenizedText part, int tokens) {
    if (part.size() == 0) return new TextPassage(0, 0, tokens);
    return new TextPassage(part.starts()[0], part.ends()[part.size() - 1], tokens);
  }

  private static List<Part> ended(List<Pending> pending, BooleanSupplier isCanceled)
      throws InterruptedException {
    try {
      var parts = new ArrayList<Part>();
      for (var part : pending) {
        parts.add(new Part(part.passage(), await(part.vector(), isCanceled)));
      }
      return parts;
    } finally {
      cancel(pending);
    }
  }

  private static void cancel(List<Pending> pending) {
    for (var part : pending) part.vector().cancel(false);
  }

  /// The mean of the passages, weighted by their lengths.
  private static Embedding whole(List<Part> parts) {
    var tokens = parts.stream().mapToInt(part -> part.passage().tokens()).sum();
    if (parts.size() == 1) return new Embedding(parts.getFirst().vector(), tokens, parts);
    var sum = new float[EmbeddingModel.DIMENSIONS];
    for (var part : parts) Vectors.add(sum, part.vector(), part.passage().tokens());
    return new Embedding(Vectors.unit(sum), tokens, parts);
  }

  private static float[] await(CompletableFuture<float[]> vector, BooleanSupplier isCanceled)
      throws InterruptedException {
    while (true) {
      if (isCanceled.getAsBoolean()) throw new InterruptedException("no longer wanted");
      try {
        return vector.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException computing) {
        // Checks again.
      } catch (ExecutionException failed) {
        throw failure(failed);
      }
    }
  }

  private static EmbeddingException failure(ExecutionException failed) {
    if (failed.getCause() instanceof EmbeddingException known) return known;
    return new EmbeddingException("the model failed: " + failed.getCause(), failed);
  }

  private EmbeddingModel ready() throws InterruptedException {
    if (!isEnabled()) {
      throw new EmbeddingException(
          "the model inside this program is switched off: embedding.enabled is false");
    }
    return loader.await();
  }

  private synchronized EmbeddingBatcher batcher() throws InterruptedException {
    if (closed) throw new EmbeddingException("the model is closed");
    var open = batcher;
    if (open == null) open = batcher = new EmbeddingBatcher(ready(), config.workers());
    return open;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (batcher != null) batcher.close();
    loader.close();
  }
}
