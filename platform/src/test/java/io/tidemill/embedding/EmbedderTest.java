package io.tidemill.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.support.TestEmbedder;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// C3.11: vectors from the model inside, without network.
class EmbedderTest {
  private final Embedder embedder = TestEmbedder.shared();

  @Test
  void whatMeansTheSameLiesNear() throws InterruptedException {
    var question = embedder.question("How often does the sea rise and fall?");
    var near = embedder.question("High tide comes about every twelve hours.");
    var far = embedder.question("The compiler reports an unused variable.");

    assertThat(Vectors.similarity(question, near))
        .isGreaterThan(Vectors.similarity(question, far) + 0.2f);
    assertThat(Vectors.similarity(question, question)).isBetween(0.999f, 1.001f);
    assertThat(question).hasSize(embedder.dimensions());
  }

  @Test
  void theSameTextHasTheSameVector() throws InterruptedException {
    assertThat(embedder.question("tide")).isEqualTo(embedder.question("tide"));
  }

  @Test
  void manyTextsComeBackInTheirOrder() throws Exception {
    var texts = new ArrayList<String>();
    for (int i = 0; i < 40; i++)
      texts.add("number " + i + " of many texts" + " more".repeat(i % 7));

    var together = embedder.embed(texts, EmbeddingPriority.JOB);

    // Computed together they differ a little, but never so much as from another text.
    for (int i = 0; i < texts.size(); i += 13) {
      var alone = embedder.question(texts.get(i));
      assertThat(Vectors.similarity(alone, together.get(i).vector())).isGreaterThan(0.95f);
    }
    assertThat(together.getFirst().tokens()).isEqualTo(5);
    assertThat(together.getFirst().isChunked()).isFalse();
  }

  @Test
  void aLongTextIsReadInPassagesThatCoverIt() throws InterruptedException {
    var text = "The moon pulls at the sea. The sun does so too, but less. ".repeat(60);

    var embedded = embedder.embed(List.of(text), EmbeddingPriority.JOB).getFirst();

    assertThat(embedded.isChunked()).isTrue();
    var reached = 0;
    for (var part : embedded.parts()) {
      assertThat(part.passage().start()).isLessThanOrEqualTo(reached);
      assertThat(part.passage().tokens()).isLessThanOrEqualTo(Embedder.SIZE);
      reached = part.passage().end();
    }
    assertThat(reached).isEqualTo(text.stripTrailing().length());
    assertThat(Vectors.similarity(embedded.vector(), embedder.question("tides and the moon")))
        .isGreaterThan(0.3f);
  }

  @Test
  void nothingAndNonsenseHaveVectorsToo() throws InterruptedException {
    var embedded =
        embedder.embed(List.of("", " \n", "\ud800", "a".repeat(5_000)), EmbeddingPriority.JOB);

    assertThat(embedded)
        .allSatisfy(one -> {
          assertThat(one.vector()).hasSize(embedder.dimensions());
          assertThat(Vectors.similarity(one.vector(), one.vector())).isBetween(0.99f, 1.01f);
        });
  }

  @Test
  void manyCallersShareFewThreads() throws Exception {
    var done = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        var text = "caller " + i;
        var _ =
            threads.submit(() -> {
              embedder.question(text);
              return done.incrementAndGet();
            });
      }
    }
    assertThat(done).hasValue(50);
    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("embed-"))
                .count())
        .isLessThanOrEqualTo(2);
  }

  @Test
  void aCanceledCallEnds() {
    var text = "many words and more of them ".repeat(4_000);

    assertThatThrownBy(() -> embedder.passages("A title", text, EmbeddingPriority.PAGE, () -> true))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void saysWhichSettingSwitchedItOff() {
    try (var off = new Embedder(new EmbeddingConfig(false, 0, ""), TestEmbedder.NATIVES)) {
      off.warm();
      assertThat(off.isReady()).isFalse();
      assertThatThrownBy(() -> off.question("tide"))
          .isInstanceOf(EmbeddingException.class)
          .hasMessageContaining("embedding.enabled");
    }
  }

  @Test
  void saysWhyTheModelCantBeUsed(@TempDir java.nio.file.Path dir) throws Exception {
    var file = java.nio.file.Files.writeString(dir.resolve("file"), "");
    try (var broken = new Embedder(new EmbeddingConfig(true, 1, ""), file)) {
      assertThatThrownBy(() -> broken.question("tide"))
          .isInstanceOf(EmbeddingException.class)
          .hasMessageContaining("can't be used");
      assertThat(broken.isReady()).isFalse();
    }
  }

  @Test
  void callsInFlightFailAtClose() throws Exception {
    var own = new Embedder(new EmbeddingConfig(true, 1, ""), TestEmbedder.NATIVES);
    own.question("loaded");
    var texts = java.util.Collections.nCopies(200, "many words and more of them ".repeat(40));
    try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting = thread.submit(() -> own.embed(texts, EmbeddingPriority.JOB));
      own.close();
      assertThatThrownBy(waiting::get).hasRootCauseInstanceOf(EmbeddingException.class);
    }
  }

  @Test
  void aQuestionDoesNotWaitForJobs() throws Exception {
    var texts = java.util.Collections.nCopies(3_000, "many words and more of them ".repeat(40));
    try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
      var job = thread.submit(() -> embedder.embed(texts, EmbeddingPriority.JOB));
      assertThat(embedder.question("tide", java.time.Duration.ofMinutes(1))).isPresent();
      assertThat(job.isDone()).isFalse();
      job.cancel(true);
    }
  }

  @Test
  void aSmallJobDoesNotWaitForALargeOne() throws Exception {
    var begun = new CountDownLatch(1);
    var texts =
        new AbstractList<String>() {
          @Override
          public String get(int index) {
            if (index == 100) begun.countDown();
            return "many words and more of them ".repeat(40);
          }

          @Override
          public int size() {
            return 3_000;
          }
        };
    try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
      var large = thread.submit(() -> embedder.embed(texts, EmbeddingPriority.JOB));
      begun.await();
      assertThat(embedder.embed(List.of("tide", "ebb"), EmbeddingPriority.JOB)).hasSize(2);
      assertThat(large.isDone()).isFalse();
      large.cancel(true);
    }
  }

  @Test
  void manySmallJobsHoldUpNoLargeOne() throws Exception {
    var text = List.of("many words and more of them ".repeat(300));
    try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
      var large = thread.submit(() -> embedder.embed(text, EmbeddingPriority.JOB));
      // As long as it takes: there is always a small one that waits.
      for (int i = 0; i < 4; i++) {
        var _ =
            thread.submit(() -> {
              while (!large.isDone()) embedder.embed(List.of("tide"), EmbeddingPriority.JOB);
              return true;
            });
      }
      assertThat(large.get(1, TimeUnit.MINUTES)).hasSize(1);
    }
  }
}
