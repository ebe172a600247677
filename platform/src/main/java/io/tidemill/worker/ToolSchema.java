package io.tidemill.worker;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.regex.RegularExpression;
import io.tidemill.contract.job.ToolCodec;
import io.tidemill.json.NumberRange;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The schema of a tool's arguments. The schema is trusted, because it comes with the tool's code;
/// the arguments are not.
///
/// The validation library takes 10 MB and is loaded by the first call that needs it.
final class ToolSchema {
  private static final int MAX_MESSAGE = 500;
  private static final String NOT_A_SCHEMA = "is not a JSON Schema (2020-12): ";

  private final String tool;
  private final ObjectNode tree;
  private volatile @Nullable Schema compiled;

  ToolSchema(String tool, ObjectNode tree) {
    this.tool = tool;
    this.tree = tree;
  }

  /// Checks that this is a schema we can use.
  ///
  /// @throws IllegalArgumentException that names the tool and what is wrong with its schema
  void check() {
    var fault = ToolCodec.schemaFault(tree);
    if (fault.isPresent()) throw unusable(fault.get());
    if (takesAnything()) return;
    var odd = Meta.SCHEMA.validate(tree);
    if (!odd.isEmpty()) throw unusable(NOT_A_SCHEMA + reason(odd.getFirst()));
    schema();
  }

  // The default of `Tool`.
  private boolean takesAnything() {
    return tree.size() == 1;
  }

  private Schema schema() {
    var known = compiled;
    if (known != null) return known;
    try {
      var schema = Library.REGISTRY.getSchema(tree);
      schema.initializeValidators();
      compiled = schema;
      return schema;
    } catch (SchemaException notASchema) {
      throw unusable(NOT_A_SCHEMA + firstLine(notASchema));
    }
  }

  private IllegalArgumentException unusable(String why) {
    return new IllegalArgumentException(
        "tool '%s' can't be used: its schema %s".formatted(tool, why));
  }

  /// The first fault of arguments, with its place; empty when they fit.
  Optional<String> fault(JsonNode arguments) {
    if (takesAnything()) return Optional.empty();
    return NumberRange.fault("", arguments)
        .or(() -> schema().validate(arguments).stream().findFirst().map(ToolSchema::reason));
  }

  private static String reason(Error error) {
    var where = error.getInstanceLocation().toString();
    var place = where.length() < 2 ? "" : where.substring(1).replace('/', '.') + ": ";
    return cut(place + error.getMessage());
  }

  private static String firstLine(RuntimeException notASchema) {
    return cut(String.valueOf(notASchema.getMessage()).lines().findFirst().orElse(""));
  }

  private static String cut(String text) {
    return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE) + "…";
  }

  private static final class Library {
    static final Dialect DIALECT = Dialects.getDraft202012();

    static final SchemaRegistry REGISTRY =
        SchemaRegistry.withDialect(
            DIALECT,
            registry ->
                registry
                    .schemaCacheEnabled(false)
                    // Schemas load nothing from the network.
                    .schemaLoader(loader -> loader.fetchRemoteResources(false).block(_ -> true))
                    .schemaRegistryConfig(
                        SchemaRegistryConfig.builder()
                            .regularExpressionFactory(Library::linear)
                            .locale(Locale.ROOT)
                            .build()));

    private Library() {}

    // Backtracking patterns of the JDK can take exponential time (F50).
    private static RegularExpression linear(String regex) {
      try {
        var pattern = Pattern.compile(regex);
        return text -> pattern.matcher(text).find();
      } catch (PatternSyntaxException wrong) {
        throw new IllegalArgumentException("'%s' is not a pattern (RE2)".formatted(regex), wrong);
      }
    }
  }

  /// The schema of schemas, which only tools of plugins need.
  private static final class Meta {
    static final Schema SCHEMA =
        SchemaRegistry.withDialect(
                Library.DIALECT,
                it ->
                    it.schemaRegistryConfig(
                        SchemaRegistryConfig.builder().locale(Locale.ROOT).build()))
            .getSchema(SchemaLocation.of(Library.DIALECT.getId()));

    private Meta() {}
  }
}
