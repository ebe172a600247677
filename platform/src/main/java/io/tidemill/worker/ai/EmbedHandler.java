package io.tidemill.worker.ai;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.JobHandler;
import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.Embedding;
import io.tidemill.embedding.EmbeddingException;
import io.tidemill.embedding.EmbeddingPriority;
import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The task `embed`: `{"text":…}` or `{"texts":[…]}` in, their vectors out (C3.11).
///
/// The vector of a text that is too long for the model is the mean of its passages, listed in
/// `chunked`. With `"chunks":true` the result has the passages' own vectors too.
public final class EmbedHandler implements JobHandler {
  private static final Set<String> FIELDS = Set.of("text", "texts", "chunks");
  private static final int MAX_TEXTS = 1_000;
  private static final int GROUP = 16;

  /// The approximate size of a vector in a result.
  private static final int VECTOR_BYTES = 4_300;

  private final Embedder embedder;
  private final long maxResult;

  /// @param maxResult the largest result that a job may have, in bytes
  public EmbedHandler(Embedder embedder, long maxResult) {
    this.embedder = embedder;
    this.maxResult = maxResult;
  }

  @Override
  public String task() {
    return "embed";
  }

  @Override
  public JsonNode handle(JobCall job) throws Exception {
    var payload = new PayloadReader(job.payload()).only(FIELDS);
    var texts = texts(payload);
    var chunks = payload.flag("chunks");
    try {
      return result(embed(texts, chunks, payload, job), chunks);
    } catch (EmbeddingException unusable) {
      throw new JobFailure("MODEL_UNAVAILABLE", String.valueOf(unusable.getMessage()));
    }
  }

  private List<String> texts(PayloadReader payload) throws JobFailure {
    if (payload.has("text") == payload.has("texts")) {
      throw PayloadReader.bad("payload must have either text or texts");
    }
    if (payload.has("text")) return List.of(payload.anyText("text"));
    var texts = payload.texts("texts", MAX_TEXTS);
    if (texts.size() > maxResult / VECTOR_BYTES) {
      throw payload.wrong(
          "texts",
          "have %d texts at most: more vectors than fit into a result (worker.max-result)"
              .formatted(maxResult / VECTOR_BYTES));
    }
    return texts;
  }

  private List<Embedding> embed(
      List<String> texts, boolean chunks, PayloadReader payload, JobCall job)
      throws JobFailure, InterruptedException {
    var done = new ArrayList<Embedding>();
    var vectors = 0;
    for (int from = 0; from < texts.size(); from += GROUP) {
      var group = texts.subList(from, Math.min(from + GROUP, texts.size()));
      done.addAll(embedder.embed(group, EmbeddingPriority.JOB));
      for (var one : done.subList(from, done.size()))
        vectors += chunks ? 1 + one.parts().size() : 1;
      if (vectors > maxResult / VECTOR_BYTES) {
        throw payload.wrong(
            "chunks", "be false: their vectors do not fit into a result (worker.max-result)");
      }
      if (texts.size() > GROUP) {
        job.progress(
            (double) done.size() / texts.size(), done.size() + " of " + texts.size() + " texts");
      }
    }
    return done;
  }

  private ObjectNode result(List<Embedding> all, boolean chunks) {
    var result = Json.object();
    result.put("model", embedder.model()).put("dimensions", embedder.dimensions());
    var vectors = result.putArray("vectors");
    var tokens = result.putArray("tokens");
    var total = 0;
    for (var embedded : all) {
      add(vectors.addArray(), embedded.vector());
      tokens.add(embedded.tokens());
      total += embedded.tokens();
    }
    result.put("total_tokens", total);
    var chunked = result.putArray("chunked");
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).isChunked() || chunks) chunked(chunked.addObject(), i, all.get(i), chunks);
    }
    return result;
  }

  private static void chunked(ObjectNode into, int index, Embedding embedded, boolean chunks) {
    into.put("index", index);
    var parts = into.putArray("chunks");
    for (var part : embedded.parts()) {
      var chunk = parts.addObject();
      chunk.put("start", part.passage().start()).put("end", part.passage().end());
      chunk.put("tokens", part.passage().tokens());
      if (chunks) add(chunk.putArray("vector"), part.vector());
    }
  }

  // The model is not more precise than six digits.
  private static void add(ArrayNode into, float[] vector) {
    for (var value : vector) into.add(Math.round(value * 1e6) / 1e6);
  }
}
