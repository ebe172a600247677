package io.tidemill.embedding;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.tidemill.json.Json;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// MiniLM in memory: rows of tokens in, vectors of length 1 out. Thread-safe.
final class EmbeddingModel implements AutoCloseable {
  static final String NAME = "all-minilm-l6-v2-q";
  static final int DIMENSIONS = 384;

  private final OrtEnvironment environment;
  private final OrtSession session;
  private final WordPieceTokenizer tokenizer;
  private final int begin;
  private final int end;

  private EmbeddingModel(
      OrtEnvironment environment, OrtSession session, WordPieceTokenizer tokenizer) {
    this.environment = environment;
    this.session = session;
    this.tokenizer = tokenizer;
    begin = tokenizer.id(WordPieceTokenizer.BEGIN);
    end = tokenizer.id(WordPieceTokenizer.END);
  }

  static EmbeddingModel load(Path natives) throws IOException {
    NativeLibrary.prepare(natives);
    var environment = OrtEnvironment.getEnvironment();
    OnnxEnvironment.keep();
    try (var options = new SessionOptions()) {
      // The batcher has its own threads.
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      // Batches differ in shape: a memory plan for each would not pay.
      options.setMemoryPatternOptimization(false);
      var session = environment.createSession(resource(NAME + ".onnx"), options);
      return new EmbeddingModel(environment, session, new WordPieceTokenizer(readVocabulary()));
    } catch (OrtException unusable) {
      throw new IOException("the model can't be loaded: " + unusable.getMessage(), unusable);
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (var bytes = EmbeddingModel.class.getResourceAsStream("/" + name)) {
      if (bytes == null) throw new IOException(name + " is not on the class path");
      return bytes.readAllBytes();
    }
  }

  private static Map<String, Integer> readVocabulary() throws IOException {
    var tree = Json.parse(resource(NAME + "-tokenizer.json")).path("model").path("vocab");
    var vocabulary = new HashMap<String, Integer>(tree.size() * 2);
    tree.properties().forEach(entry -> vocabulary.put(entry.getKey(), entry.getValue().asInt()));
    return vocabulary;
  }

  boolean knows(String word) {
    return tokenizer.knows(word);
  }

  TokenizedText tokenize(String text) {
    return tokenizer.of(text);
  }

  /// The vectors of these rows, in their order.
  List<float[]> run(List<int[]> rows) {
    var width = 2 + rows.stream().mapToInt(row -> row.length).max().orElse(0);
    var ids = new long[rows.size() * width];
    var mask = new long[ids.length];
    for (int row = 0; row < rows.size(); row++) fill(rows.get(row), row * width, ids, mask);
    var shape = new long[] {rows.size(), width};
    try (var idTensor = OnnxTensor.createTensor(environment, LongBuffer.wrap(ids), shape);
        var maskTensor = OnnxTensor.createTensor(environment, LongBuffer.wrap(mask), shape);
        var types =
            OnnxTensor.createTensor(environment, LongBuffer.wrap(new long[ids.length]), shape);
        var answer =
            session.run(
                Map.of(
                    "input_ids",
                    idTensor,
                    "attention_mask",
                    maskTensor,
                    "token_type_ids",
                    types))) {
      var states = ((OnnxTensor) answer.get(0)).getFloatBuffer();
      return IntStream.range(0, rows.size())
          .mapToObj(row -> mean(states, row * width, rows.get(row).length + 2))
          .toList();
    } catch (OrtException failed) {
      throw new EmbeddingException("the model failed: " + failed.getMessage(), failed);
    }
  }

  private void fill(int[] row, int at, long[] ids, long[] mask) {
    ids[at] = begin;
    for (int i = 0; i < row.length; i++) ids[at + 1 + i] = row[i];
    ids[at + 1 + row.length] = end;
    for (int i = 0; i < row.length + 2; i++) mask[at + i] = 1;
  }

  private static float[] mean(FloatBuffer states, int first, int count) {
    var vector = new float[DIMENSIONS];
    var state = new float[DIMENSIONS];
    for (int i = 0; i < count; i++) {
      states.get((first + i) * DIMENSIONS, state);
      for (int d = 0; d < DIMENSIONS; d++) vector[d] += state[d];
    }
    return Vectors.unit(vector);
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException failed) {
      throw new EmbeddingException("the model did not close: " + failed.getMessage(), failed);
    }
  }
}
