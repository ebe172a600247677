package io.tidemill.gateway.dead;

import com.google.re2j.Pattern;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.regex.RegularExpression;
import io.tidemill.contract.NumberRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The JSON Schemas that `/contracts/` serves, to hold messages against.
final class Schemas {
  private static final String FOLDER = "/contracts/";
  private static final String BASE = "https://tidemill.invalid" + FOLDER;
  private static final String RESOURCES = "/io/tidemill/gateway/contracts/";
  private static final int MOST_VIOLATIONS = 50;
  private static final int LONGEST = 500;

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDialect(
          Dialects.getDraft202012(),
          registry ->
              registry
                  .schemas(Schemas::text)
                  // Nothing is loaded from anywhere else.
                  .schemaLoader(loader -> loader.fetchRemoteResources(false))
                  .schemaRegistryConfig(
                      SchemaRegistryConfig.builder()
                          .regularExpressionFactory(Schemas::linear)
                          .locale(Locale.ROOT)
                          .build()));
  private static final Map<String, Schema> COMPILED = new ConcurrentHashMap<>();

  private Schemas() {}

  /// @param path as it is served, such as `/contracts/page.schema.json`
  static List<Violation> check(String path, JsonNode value) {
    // The library computes with numbers as they come.
    var odd = NumberRange.fault("", value);
    if (odd.isPresent()) return Violation.of(odd.get());
    return schema(path).validate(value).stream()
        .limit(MOST_VIOLATIONS)
        .map(error ->
            new Violation(
                error.getInstanceLocation().toString(),
                Text.cut(String.valueOf(error.getMessage()), LONGEST)))
        .toList();
  }

  private static Schema schema(String path) {
    return COMPILED.computeIfAbsent(
        path,
        name -> REGISTRY.getSchema(SchemaLocation.of(BASE + name.substring(FOLDER.length()))));
  }

  // A pattern of the JDK's kind can take for ever on a text made for it (F50).
  private static RegularExpression linear(String regex) {
    var pattern = Pattern.compile(regex);
    return text -> pattern.matcher(text).find();
  }

  @SuppressWarnings("NullAway") // null says that it is not ours
  private static @Nullable String text(String address) {
    if (!address.startsWith(BASE)) return null;
    var name = RESOURCES + address.substring(BASE.length());
    try (var in = Schemas.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("no schema " + name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
