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

/// Turns texts into vectors by the model inside this program; no network (C3.11).
///
/// The model is loaded when it is first needed, or by [#warm], in the background.
public final class Embedder implements AutoCloseable {
  /// What the model reads at once, its two marks aside.
  static final int SIZE = 254;

  private static final int OVERLAP = 40;
  private static final int TITLE_MOST = 32;
  private static final Duration LOOK_UP = Duration.ofMillis(200);

  private final EmbeddingConfig config;
  private final ModelLoader loader;
  private @Nullable EmbeddingBatcher batcher;
  private boolean closed;

  /// @param natives folder for the native library
  public Embedder(EmbeddingConfig config, Path natives) {
    this.config = config;
    loader = new ModelLoader(natives);
  }

  /// Whether it may be used at all.
  public boolean isEnabled() {
    return config.enabled();
  }

  /// Begins to load the model, without waiting for it.
  public void warm() {
    if (isEnabled()) loader.begin();
  }

  /// Whether vectors can be had without waiting for the model.
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

  /// The vector of a short text that somebody waits for, such as a question; only its beginning
  /// counts when it is long.
  ///
  /// @throws EmbeddingException when the model can't be used
  public float[] question(String text) throws InterruptedException {
    return Traces.part(SpanKind.LLM, "embed question", () -> await(asked(text), () -> false));
  }

  /// The same for somebody who can do without it: empty when it takes longer than that.
  ///
  /// @throws EmbeddingException when the model can't be used
  public Optional<float[]> question(String text, Duration limit) throws InterruptedException {
    var vector = asked(text);
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

  private CompletableFuture<float[]> asked(String text) throws InterruptedException {
    var pieces = ready().pieces(text);
    var ids = pieces.part(0, Math.min(pieces.size(), SIZE)).ids();
    return batcher().line(EmbeddingPriority.QUESTION).submit(ids);
  }

  /// The vectors of texts of any length.
  ///
  /// @throws EmbeddingException when the model can't be used
  public List<Embedding> embed(List<String> texts, EmbeddingPriority urgency)
      throws InterruptedException {
    return Traces.part(SpanKind.LLM, "embed", () -> embedAll(texts, urgency));
  }

  private List<Embedding> embedAll(List<String> texts, EmbeddingPriority urgency)
      throws InterruptedException {
    Traces.note("texts", texts.size());
    var begun = new ArrayList<List<Begun>>();
    var line = batcher().line(urgency);
    try {
      for (var text : texts) begun.add(begin(new int[0], text, line));
      var done = new ArrayList<Embedding>();
      for (var parts : begun) done.add(whole(ended(parts, () -> false)));
      return done;
    } finally {
      begun.forEach(Embedder::giveUp);
    }
  }

  /// The vectors of a page's passages; each is read together with the page's title, which often
  /// says what a passage is about when the passage itself does not.
  ///
  /// @throws EmbeddingException when the model can't be used
  ///
  /// @param isUnwanted asked while it waits; once true, it gives up as if it was interrupted
  public List<Part> passages(
      String title, String text, EmbeddingPriority urgency, BooleanSupplier isUnwanted)
      throws InterruptedException {
    var heading = ready().pieces(title);
    var ids = heading.part(0, Math.min(heading.size(), TITLE_MOST)).ids();
    return ended(begin(ids, text, batcher().line(urgency)), isUnwanted);
  }

  private record Begun(TextPassage passage, CompletableFuture<float[]> vector) {}

  private List<Begun> begin(int[] heading, String text, EmbeddingBatcher.Line line)
      throws InterruptedException {
    var pieces = ready().pieces(text);
    var begun = new ArrayList<Begun>();
    for (var range : new PassageSplitter(SIZE - heading.length, OVERLAP).of(pieces)) {
      var part = pieces.part(range.from(), range.to());
      var ids = new int[heading.length + part.size()];
      System.arraycopy(heading, 0, ids, 0, heading.length);
      System.arraycopy(part.ids(), 0, ids, heading.length, part.size());
      begun.add(new Begun(passage(part, ids.length), line.submit(ids)));
    }
    return begun;
  }

  private static TextPassage passage(TokenizedText part, int tokens) {
    if (part.size() == 0) return new TextPassage(0, 0, tokens);
    return new TextPassage(part.starts()[0], part.ends()[part.size() - 1], tokens);
  }

  private static List<Part> ended(List<Begun> begun, BooleanSupplier isUnwanted)
      throws InterruptedException {
    try {
      var parts = new ArrayList<Part>();
      for (var part : begun) {
        parts.add(new Part(part.passage(), await(part.vector(), isUnwanted)));
      }
      return parts;
    } finally {
      giveUp(begun);
    }
  }

  // Nobody wants the rest any more, if there is one.
  private static void giveUp(List<Begun> begun) {
    for (var part : begun) part.vector().cancel(false);
  }

  /// A longer passage says more about the whole.
  private static Embedding whole(List<Part> parts) {
    var tokens = parts.stream().mapToInt(part -> part.passage().tokens()).sum();
    if (parts.size() == 1) return new Embedding(parts.getFirst().vector(), tokens, parts);
    var sum = new float[EmbeddingModel.DIMENSIONS];
    for (var part : parts) Vectors.add(sum, part.vector(), part.passage().tokens());
    return new Embedding(Vectors.unit(sum), tokens, parts);
  }

  private static float[] await(CompletableFuture<float[]> vector, BooleanSupplier isUnwanted)
      throws InterruptedException {
    while (true) {
      if (isUnwanted.getAsBoolean()) throw new InterruptedException("no longer wanted");
      try {
        return vector.get(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException computing) {
        // Then again.
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
