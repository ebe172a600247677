package io.tidemill.schema;

import io.tidemill.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The JSON Schemas of the data of built-in tasks, as `/api/forms` shows them.
public final class TaskSchemas {
  private static final String RESOURCE = "/io/tidemill/schema/tasks.json";
  private static final JsonNode ALL = load();

  private TaskSchemas() {}

  private static JsonNode load() {
    try (var in = TaskSchemas.class.getResourceAsStream(RESOURCE)) {
      if (in == null) throw new IllegalStateException("no resource " + RESOURCE);
      return Json.parse(in.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// The schema of a type's data; null for types of plug-ins.
  public static @Nullable JsonNode of(String type) {
    return ALL.get(type);
  }

  /// The violations of a task's data; empty when it is valid, or has no schema.
  public static List<SchemaViolation> check(String type, JsonNode data) {
    var schema = of(type);
    return schema == null ? List.of() : ContractSchemas.check("task " + type, schema, data);
  }
}
