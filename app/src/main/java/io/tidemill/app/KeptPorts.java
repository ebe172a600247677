package io.tidemill.app;

import io.tidemill.json.Json;
import io.tidemill.servers.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The ports of the local servers of a data folder, the same after a restart, so that addresses
/// such as links to exports stay valid. Kept in `ports.json`.
final class KeptPorts {
  private final Path file;
  private final JsonNode before;
  private final ObjectNode now = Json.object();

  KeptPorts(Path data) {
    file = data.resolve("ports.json");
    before = read(file);
  }

  // Without it, or with something else in it, everything is as at the first start.
  private static JsonNode read(Path file) {
    try {
      return Json.parse(Files.readAllBytes(file));
    } catch (IOException | JacksonException nothing) {
      return Json.object();
    }
  }

  /// The port that a server had, if it was asked for the same one then and it is free; else the one
  /// that is asked for; else any that is free.
  ///
  /// @param wanted by the settings; 0 = any free one
  /// @param isChosen whether somebody set it, so that no other one will do
  int port(String server, int wanted, boolean isChosen) {
    var last = before.path(server);
    var mayKeep = wanted == 0 || !isChosen;
    var kept = mayKeep && last.path("wanted").asInt(-1) == wanted ? last.path("port").asInt(0) : 0;
    var first = kept > 0 && kept <= 65_535 ? kept : wanted;
    var port = Ports.freeOr(first);
    if (port != first) port = Ports.freeOr(wanted);
    now.putObject(server).put("wanted", wanted).put("port", port);
    return port;
  }

  /// Keeps what was handed out.
  void write() {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      var draft = file.resolveSibling("ports.json.new");
      Files.write(draft, Json.bytes(now));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
