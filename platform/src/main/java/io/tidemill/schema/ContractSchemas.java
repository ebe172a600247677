package io.tidemill.schema;

import com.google.re2j.Pattern;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.regex.RegularExpression;
import io.tidemill.json.NumberRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The JSON Schemas that `/contracts/` serves.
///
/// The library behind them is loaded by the first check.
public final class ContractSchemas {
  private static final String FOLDER = "/contracts/";
  private static final String END = ".schema.json";
  private static final int MOST_VIOLATIONS = 50;
  private static final int LONGEST = 500;

  private ContractSchemas() {}

  /// The URL path of a schema.
  ///
  /// @param name such as `page` or `streamops/task.created`
  public static String path(String name) {
    return FOLDER + name + END;
  }

  /// The violations of a message; empty when it is valid.
  ///
  /// @param path of the schema
  public static List<SchemaViolation> check(String path, JsonNode value) {
    return check(() -> Library.COMPILED.computeIfAbsent(path, Library::schema), value);
  }

  /// @param name unique, the key of the compiled schema
  static List<SchemaViolation> check(String name, JsonNode schema, JsonNode value) {
    return check(
        () -> Library.COMPILED.computeIfAbsent(name, _ -> Library.REGISTRY.getSchema(schema)),
        value);
  }

  private static List<SchemaViolation> check(Supplier<Schema> schema, JsonNode value) {
    // The library computes with numbers of any size.
    var odd = NumberRange.fault("", value);
    if (odd.isPresent()) return SchemaViolation.of(odd.get());
    return schema.get().validate(value).stream()
        .limit(MOST_VIOLATIONS)
        .map(error ->
            new SchemaViolation(
                error.getInstanceLocation().toString(), cut(String.valueOf(error.getMessage()))))
        .toList();
  }

  private static String cut(String text) {
    if (text.length() <= LONGEST) return text;
    var end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end) + "…";
  }

  private static final class Library {
    private static final String BASE = "https://tidemill.invalid" + FOLDER;
    private static final String RESOURCES = "/io/tidemill/contract/schema/";

    static final Map<String, Schema> COMPILED = new ConcurrentHashMap<>();

    private static final SchemaRegistry REGISTRY =
        SchemaRegistry.withDialect(
            Dialects.getDraft202012(),
            registry ->
                registry
                    .schemas(Library::text)
                    // Loads nothing from the network.
                    .schemaLoader(loader -> loader.fetchRemoteResources(false))
                    .schemaRegistryConfig(
                        SchemaRegistryConfig.builder()
                            .formatAssertionsEnabled(true)
                            .regularExpressionFactory(Library::linear)
                            .locale(Locale.ROOT)
                            .build()));

    private Library() {}

    static Schema schema(String path) {
      return REGISTRY.getSchema(SchemaLocation.of(BASE + path.substring(FOLDER.length())));
    }

    // A JDK pattern can take exponential time on a crafted text (F50).
    private static RegularExpression linear(String regex) {
      var pattern = Pattern.compile(regex);
      return text -> pattern.matcher(text).find();
    }

    @SuppressWarnings("NullAway") // null: not one of our schemas
    private static @Nullable String text(String address) {
      if (!address.startsWith(BASE)) return null;
      var name = RESOURCES + address.substring(BASE.length());
      try (var in = ContractSchemas.class.getResourceAsStream(name)) {
        if (in == null) throw new IllegalStateException("no schema " + name);
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
