package io.tidemill.embedding;

import ai.onnxruntime.OrtEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps ONNX Runtime's environment until the process ends.
///
/// The library frees it in a shutdown hook, which runs while our jobs still end: a model in use
/// would crash. The environment counts references, so one more keeps it. There is no public API for
/// that.
final class OnnxEnvironment {
  private static final Logger log = LoggerFactory.getLogger(OnnxEnvironment.class);
  private static boolean kept;

  private OnnxEnvironment() {}

  static synchronized void keep() {
    if (kept) return;
    kept = true;
    try {
      var library = Class.forName("ai.onnxruntime.OnnxRuntime");
      var api = library.getDeclaredField("ortApiHandle");
      api.setAccessible(true);
      var hold =
          OrtEnvironment.class.getDeclaredMethod(
              "createHandle", long.class, int.class, String.class);
      hold.setAccessible(true);
      hold.invoke(null, api.getLong(null), 2, "tidemill");
    } catch (ReflectiveOperationException | RuntimeException changed) {
      log.warn(
          "jobs that compute vectors may crash while this process stops: {}", changed.toString());
    }
  }
}
