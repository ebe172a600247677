package io.tidemill.bench.raw;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// The model alone: prepared rows of pieces, results discarded.
public final class RawModel implements AutoCloseable {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;

  public RawModel() throws IOException {
    try (var options = new OrtSession.SessionOptions();
        var bytes = RawModel.class.getResourceAsStream("/all-minilm-l6-v2-q.onnx")) {
      if (bytes == null) throw new IOException("the model is not on the class path");
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      session = environment.createSession(bytes.readAllBytes(), options);
    } catch (OrtException unusable) {
      throw new IOException(unusable);
    }
  }

  /// Runs rows of one length in batches, on several threads.
  public void run(int rows, int pieces, int together, int threads)
      throws IOException, InterruptedException {
    var workers = new ArrayList<Thread>();
    for (int i = 0; i < threads; i++) {
      var share = rows / threads;
      workers.add(Thread.ofPlatform().start(() -> run(share, pieces, together)));
    }
    for (var worker : workers) worker.join();
  }

  private void run(int rows, int pieces, int together) {
    for (int done = 0; done < rows; done += together) run(together, pieces);
  }

  private void run(int together, int pieces) {
    var ids = new long[together * pieces];
    for (int i = 0; i < ids.length; i++) ids[i] = 1_000 + (i * 7_919L) % 20_000;
    var ones = new long[ids.length];
    Arrays.fill(ones, 1);
    var shape = new long[] {together, pieces};
    try (var idTensor = OnnxTensor.createTensor(environment, LongBuffer.wrap(ids), shape);
        var mask = OnnxTensor.createTensor(environment, LongBuffer.wrap(ones), shape);
        var types =
            OnnxTensor.createTensor(environment, LongBuffer.wrap(new long[ids.length]), shape);
        var answer =
            session.run(
                Map.of("input_ids", idTensor, "attention_mask", mask, "token_type_ids", types))) {
      if (answer.size() != 1) throw new IllegalStateException("the model answered otherwise");
    } catch (OrtException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /// Texts with a given number of pieces; each word is one.
  public static List<String> texts(int count, int pieces) {
    var words = List.of("sea", "moon", "water", "day", "night", "ship", "wind", "sand");
    var texts = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      var text = new StringBuilder();
      for (int word = 0; word < pieces; word++) {
        text.append(words.get((i * 31 + word * 7 + word / 8) % words.size())).append(' ');
      }
      texts.add(text.toString());
    }
    return texts;
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
