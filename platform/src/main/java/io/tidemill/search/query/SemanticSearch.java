package io.tidemill.search.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingException;
import io.tidemill.search.passage.PassageIndex;
import io.tidemill.search.passage.PassageSearch;
import io.tidemill.search.passage.PassageUpdater;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Search by meaning: vectors of questions, and the passages near them.
final class SemanticSearch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SemanticSearch.class);

  /// The next page of results has the same question.
  private static final int REMEMBERED = 1_000;

  private final Embedder embedder;
  private final PassageSearch passages;
  private final Duration limit;
  private final Cache<String, float[]> known =
      Caffeine.newBuilder().maximumSize(REMEMBERED).build();

  /// @param timeout of a search; a quarter of it is for the vector
  SemanticSearch(Path index, Embedder embedder, Duration refresh, Duration timeout) {
    this.embedder = embedder;
    this.limit = timeout.dividedBy(4);
    var method = PassageUpdater.method(embedder);
    passages = new PassageSearch(PassageIndex.beside(index), method, refresh);
  }

  PassageSearch passages() {
    return passages;
  }

  void warm() {
    embedder.warm();
  }

  /// The question's vector; empty when there are no passages, or the model is not loaded or busy: a
  /// search does not wait for it.
  Optional<float[]> vector(String question) {
    if (question.isBlank() || !embedder.isEnabled()) return Optional.empty();
    var before = known.getIfPresent(question);
    if (before != null) return Optional.of(before);
    if (passages.state().filter(state -> state.passages() > 0).isEmpty()) return Optional.empty();
    if (!embedder.isReady()) {
      embedder.warm();
      return Optional.empty();
    }
    return compute(question);
  }

  private Optional<float[]> compute(String question) {
    try {
      var vector = embedder.question(question, limit);
      vector.ifPresent(found -> known.put(question, found));
      return vector;
    } catch (EmbeddingException failed) {
      log.warn("searching by words alone: {}", failed.getMessage());
      return Optional.empty();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    passages.close();
  }
}
