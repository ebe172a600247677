package io.tidemill.bench;

import io.tidemill.bench.BenchReport.Line;
import io.tidemill.bench.raw.RawModel;
import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingConfig;
import io.tidemill.embedding.EmbeddingPriority;
import java.io.IOException;
import java.util.List;

/// `bench embed`: texts a second through our tokenizer, batches and queue, beside the model alone.
public final class EmbedBench {
  private static final int SHORT = 12;
  private static final int LONG = 200;
  private static final int TOGETHER = 16;

  /// The model puts a mark before and one behind.
  private static final int MARKS = 2;

  private final int texts;
  private final int rounds;

  private EmbedBench(int texts, int rounds) {
    this.texts = texts;
    this.rounds = rounds;
  }

  /// Five rounds, or one short one.
  public static EmbedBench of(boolean quick) {
    return new EmbedBench(quick ? 96 : 320, quick ? 1 : 5);
  }

  /// Runs it.
  public BenchReport run() throws IOException, InterruptedException {
    var threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    try (var folder = BenchFolder.make();
        var embedder = new Embedder(new EmbeddingConfig(true, threads, ""), folder.path())) {
      embedder.question("warm up");
      try (var raw = new RawModel()) {
        lines(embedder, raw, threads);
        var setup = "%,d texts, %d threads".formatted(texts, threads);
        return BenchReport.of("embed", setup, rounds, () -> lines(embedder, raw, threads));
      }
    }
  }

  private List<Line> lines(Embedder embedder, RawModel raw, int threads)
      throws IOException, InterruptedException {
    var many = texts * 4;
    var shortTexts = RawModel.texts(many, SHORT);
    var longTexts = RawModel.texts(texts, LONG);
    var rawShort = Throughput.of(many, () -> raw.run(many, SHORT + MARKS, TOGETHER, threads));
    var ourShort = Throughput.of(many, () -> embedder.embed(shortTexts, EmbeddingPriority.JOB));
    var rawLong = Throughput.of(texts, () -> raw.run(texts, LONG + MARKS, 1, threads));
    var ourLong = Throughput.of(texts, () -> embedder.embed(longTexts, EmbeddingPriority.JOB));
    return List.of(
        new Line(
            "short texts/s",
            ourShort.perSecond(),
            rawShort.perSecond(),
            "12 words; model alone, 16 at once"),
        new Line("passages/s", ourLong.perSecond(), rawLong.perSecond(), "200 words; model alone"),
        Line.alone("memory MB", Throughput.memory(), "with the raw model's second copy"));
  }
}
