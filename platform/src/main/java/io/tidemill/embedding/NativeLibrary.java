package io.tidemill.embedding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/// The native library of ONNX Runtime, unpacked once into a folder of ours.
///
/// By default it unpacks 28 MB into the temporary folder at each start, and a killed process leaves
/// them there.
final class NativeLibrary {
  private static final String FOLDER = "onnxruntime.native.path";
  private static final String RESOURCES = "/ai/onnxruntime/native/";

  private NativeLibrary() {}

  /// Unpacks missing files and sets the library's path.
  static void prepare(Path folder) throws IOException {
    var platform = platform();
    var target = folder.resolve("onnxruntime-" + version() + "-" + platform).toAbsolutePath();
    Files.createDirectories(target);
    for (var name : List.of("onnxruntime", "onnxruntime4j_jni")) {
      unpack(RESOURCES + platform + "/" + System.mapLibraryName(name), target);
    }
    System.setProperty(FOLDER, target.toString());
  }

  private static void unpack(String resource, Path folder) throws IOException {
    var target = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
    var found = ai.onnxruntime.OnnxTensor.class.getResource(resource);
    if (found == null) {
      throw new IOException("ONNX Runtime has no library for this machine (" + resource + ")");
    }
    var connection = found.openConnection();
    try (var bytes = connection.getInputStream()) {
      if (Files.exists(target) && Files.size(target) == connection.getContentLengthLong()) return;
      // Atomic, because other processes may read the file.
      var part = Files.createTempFile(folder, "unpacking", ".part");
      try {
        Files.copy(bytes, part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(
            part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    }
  }

  private static String version() {
    var version = ai.onnxruntime.OnnxTensor.class.getPackage().getImplementationVersion();
    return version == null ? "any" : version;
  }

  private static String platform() {
    var name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    var os = name.contains("mac") ? "osx" : name.contains("win") ? "win" : "linux";
    var isArm = System.getProperty("os.arch", "").matches("aarch64|arm64");
    return os + (isArm ? "-aarch64" : "-x64");
  }
}
