package io.tidemill.support;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.gateway.ContractRoutes;
import io.tidemill.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/// The published JSON Schemas of contract C2: what every event of ours is held to (C2.3).
public final class ExecutionSchemas {
  private static final String BASE = "https://tidemill.invalid/contracts/streamops/";
  private static final String UUID_V4 =
      "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
  private static final String MILLIS = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          registry ->
              registry
                  .schemas(ExecutionSchemas::text)
                  .schemaRegistryConfig(
                      SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
  private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();

  private ExecutionSchemas() {}

  /// The event is one of the ten, and as its schema says.
  public static void assertValid(byte[] event) {
    assertValid(Json.parse(event));
  }

  public static void assertValid(JsonNode event) {
    var type = event.path("eventType").asString("");
    assertThat(ExecutionEvent.TYPES).as("the type of %s", event).contains(type);
    assertThat(schema(type).validate(event)).as("%s", event).isEmpty();
  }

  /// Moreover it is written as we write it: an id of ours, metadata, milliseconds in UTC (C2.2).
  public static void assertOurs(byte[] event) {
    var tree = Json.parse(event);
    assertValid(tree);
    assertThat(tree.get("eventId").stringValue()).as("%s", tree).matches("evt-" + UUID_V4);
    assertThat(tree.path("metadata").path("source").asString("")).as("%s", tree).isNotEmpty();
    assertThat(tree.get("timestamp").stringValue()).as("%s", tree).matches(MILLIS);
    tree.get("payload").properties().stream()
        .filter(field -> field.getKey().endsWith("At"))
        .forEach(
            time -> assertThat(time.getValue().stringValue()).as(time.getKey()).matches(MILLIS));
  }

  private static Schema schema(String type) {
    return SCHEMAS.computeIfAbsent(
        type, name -> REGISTRY.getSchema(SchemaLocation.of(BASE + name + ".schema.json")));
  }

  private static String text(String address) {
    if (!address.startsWith(BASE)) return null;
    var name = "/io/tidemill/contract/schema/streamops/" + address.substring(BASE.length());
    try (var in = requireNonNull(ContractRoutes.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
