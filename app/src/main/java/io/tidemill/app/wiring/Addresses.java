package io.tidemill.app.wiring;

import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// Where the parts of this instance can be reached; written to `addresses.json` for other programs
/// and further processes.
public record Addresses(String http, String kafka, String redis, String amqp, String s3) {
  /// The file inside a data folder.
  public static Path file(Path data) {
    return data.resolve("addresses.json");
  }

  /// Writes the file in one step, readable by its owner only: addresses hold passwords.
  ///
  /// @param environment of a further process, see [SharedEnvironment]
  public void write(Path data, Instant startedAt, SharedEnvironment environment) {
    var json = Json.object();
    json.put("pid", ProcessHandle.current().pid());
    json.put("http", http);
    json.put("kafka", kafka);
    json.put("redis", redis);
    json.put("amqp", amqp);
    json.put("s3", s3);
    json.put("data", data.toAbsolutePath().normalize().toString());
    json.put("startedAt", IsoTime.text(startedAt));
    var variables = json.putObject("environment");
    environment.variables().forEach(variables::put);
    if (!environment.note().isEmpty()) json.put("note", environment.note());
    try {
      var draft = data.resolve("addresses.json.new");
      Files.deleteIfExists(draft);
      Files.createFile(
          draft,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(draft, Json.bytes(json));
      Files.move(draft, file(data), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public static void remove(Path data) {
    try {
      Files.deleteIfExists(file(data));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
