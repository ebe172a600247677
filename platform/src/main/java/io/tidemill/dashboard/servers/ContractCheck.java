package io.tidemill.dashboard.servers;

import com.google.re2j.Pattern;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.tidemill.contract.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Holds messages against the schemas that we publish under `/contracts/`.
///
/// The library behind it is loaded by the first check.
final class ContractCheck {
  private static final String BASE = "https://tidemill.invalid/contracts/";
  private static final String RESOURCES = "/io/tidemill/gateway/contracts/";
  private static final int MOST = 20;
  private static final int LONGEST = 500;

  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  /// What is wrong with a message; empty when it is as its schema says.
  ///
  /// @param schema such as `page` or `streamops/task.created`
  List<String> violations(String schema, byte[] message) {
    try {
      return schemas.computeIfAbsent(schema, Library::schema).validate(Json.parse(message)).stream()
          .limit(MOST)
          .map(ContractCheck::text)
          .toList();
    } catch (JacksonException notJson) {
      return List.of(Json.fault(notJson));
    }
  }

  private static String text(Error error) {
    var where = error.getInstanceLocation().toString();
    var text = (where.isEmpty() ? "" : where + ": ") + error.getMessage();
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  private static final class Library {
    static final SchemaRegistry REGISTRY =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            registry ->
                registry
                    // Nothing is loaded from anywhere else.
                    .schemaLoader(loader -> loader.fetchRemoteResources(false))
                    .schemas(Library::document)
                    .schemaRegistryConfig(
                        SchemaRegistryConfig.builder()
                            .formatAssertionsEnabled(true)
                            .locale(Locale.ROOT)
                            // A pattern of the JDK's kind can take for ever (F50).
                            .regularExpressionFactory(regex -> {
                              var pattern = Pattern.compile(regex);
                              return text -> pattern.matcher(text).find();
                            })
                            .build()));

    private Library() {}

    static Schema schema(String name) {
      return REGISTRY.getSchema(SchemaLocation.of(BASE + name + ".schema.json"));
    }

    private static @Nullable String document(String address) {
      if (!address.startsWith(BASE)) return null;
      var name = RESOURCES + address.substring(BASE.length());
      try (var in = ContractCheck.class.getResourceAsStream(name)) {
        return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
