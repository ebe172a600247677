package io.tidemill.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Test data from outside, which lies beside the project and not in it; a test that does not find
/// it is skipped.
public final class Corpora {
  private Corpora() {}

  /// A file or folder of the corpora.
  public static Path find(String path) {
    for (var dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      var found = dir.resolve("shared/corpora").resolve(path);
      if (Files.exists(found)) return found;
    }
    Assumptions.abort("shared/corpora/" + path + " is not on this machine");
    throw new AssertionError("not reached");
  }

  /// The files in a folder, in the order of their names.
  public static List<Path> files(String folder) {
    try (var files = Files.list(find(folder))) {
      return files.sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// The rows of a file that holds one JSON value a line; it may be gzipped.
  public static List<JsonNode> lines(String path) {
    var file = find(path);
    try (var in = Files.newInputStream(file);
        var plain = path.endsWith(".gz") ? new GZIPInputStream(in) : in) {
      var text = new String(plain.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().map(JsonMapper.shared()::readTree).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// The Big List of Naughty Strings.
  public static List<String> naughtyStrings() {
    var list = JsonMapper.shared().readTree(find("hostile/blns.json").toFile());
    return list.valueStream().map(node -> node.stringValue()).toList();
  }
}
