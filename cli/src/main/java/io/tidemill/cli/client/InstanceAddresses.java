package io.tidemill.cli.client;

import io.tidemill.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Where a running instance and its servers listen, as it wrote into `DATA/addresses.json`.
///
/// @param tree the file's content
public record InstanceAddresses(JsonNode tree) {
  private static final Map<String, String> NAMES = names();

  private static Map<String, String> names() {
    var names = new LinkedHashMap<String, String>();
    names.put("http", "TIDEMILL_HTTP_URL");
    names.put("kafka", "TIDEMILL_KAFKA_BOOTSTRAP");
    names.put("redis", "TIDEMILL_REDIS_URL");
    names.put("amqp", "TIDEMILL_AMQP_URL");
    names.put("s3", "TIDEMILL_S3_ENDPOINT");
    return names;
  }

  /// Those of the instance that runs on this data folder.
  public static Optional<InstanceAddresses> ofRunning(Path data) {
    return read(data.resolve("addresses.json")).filter(InstanceAddresses::isRunning);
  }

  private static Optional<InstanceAddresses> read(Path file) {
    if (!Files.isRegularFile(file)) return Optional.empty();
    try {
      return Optional.of(new InstanceAddresses(Json.parse(Files.readAllBytes(file))));
    } catch (JacksonException | IOException unreadable) {
      // Half written or not ours: as good as not there.
      return Optional.empty();
    }
  }

  private boolean isRunning() {
    var pid = tree.path("pid");
    return pid.isIntegralNumber()
        && pid.canConvertToLong()
        && ProcessHandle.of(pid.longValue()).map(ProcessHandle::isAlive).orElse(false);
  }

  Optional<URI> http() {
    return text("http").map(url -> GatewayClient.address("addresses.json", url));
  }

  /// The environment that leads other programs there, and further processes to the same stores, in
  /// a fixed order.
  public Map<String, String> environment() {
    var environment = new LinkedHashMap<String, String>();
    NAMES.forEach((key, name) -> text(key).ifPresent(value -> environment.put(name, value)));
    tree.path("environment")
        .properties()
        .forEach(each -> environment.put(each.getKey(), each.getValue().asString("")));
    return environment;
  }

  /// What the environment can't say; empty when there is nothing.
  public String note() {
    return text("note").orElse("");
  }

  private Optional<String> text(String key) {
    var value = tree.path(key);
    return value.isString() && !value.stringValue().isBlank()
        ? Optional.of(value.stringValue())
        : Optional.empty();
  }
}
