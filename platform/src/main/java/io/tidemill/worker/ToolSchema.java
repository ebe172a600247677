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

/// The schema of a tool's arguments. It comes with the tool's own code, so it is trusted not to be
/// endless; what it is used on is not trusted at all.
///
/// The library behind it is loaded by the first call that needs it: it takes 10 MB, and a small
/// worker has none to spare.
final class ToolSchema {
  private static final int LONGEST = 500;
  private static final String NOT_ONE = "is not a JSON Schema (2020-12): ";

  private final String tool;
  private final ObjectNode tree;
  private volatile @Nullable Schema compiled;

  ToolSchema(String tool, ObjectNode tree) {
    this.tool = tool;
    this.tree = tree;
  }

  /// Looks whether it is a schema that we can use.
  ///
  /// @throws IllegalArgumentException that names the tool and what is wrong with its schema
  void check() {
    var fault = ToolCodec.schemaFault(tree);
    if (fault.isPresent()) throw unusable(fault.get());
    if (takesAnything()) return;
    var odd = Meta.SCHEMA.validate(tree);
    if (!odd.isEmpty()) throw unusable(NOT_ONE + reason(odd.getFirst()));
    schema();
  }

  // As `Tool` has it for those who say nothing else.
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
    } catch (SchemaException notOne) {
      throw unusable(NOT_ONE + said(notOne));
    }
  }

  private IllegalArgumentException unusable(String why) {
    return new IllegalArgumentException(
        "tool '%s' can't be used: its schema %s".formatted(tool, why));
  }

  /// What is wrong with arguments: the first fault, with its place; empty when they fit.
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

  private static String said(RuntimeException notOne) {
    return cut(String.valueOf(notOne.getMessage()).lines().findFirst().orElse(""));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  private static final class Library {
    static final Dialect DIALECT = Dialects.getDraft202012();

    static final SchemaRegistry REGISTRY =
        SchemaRegistry.withDialect(
            DIALECT,
            registry ->
                registry
                    .schemaCacheEnabled(false)
                    // Nothing is loaded from anywhere.
                    .schemaLoader(loader -> loader.fetchRemoteResources(false).block(_ -> true))
                    .schemaRegistryConfig(
                        SchemaRegistryConfig.builder()
                            .regularExpressionFactory(Library::linear)
                            .locale(Locale.ROOT)
                            .build()));

    private Library() {}

    // A pattern of the JDK's kind can take for ever on a text made for it (F50).
    private static RegularExpression linear(String regex) {
      try {
        var pattern = Pattern.compile(regex);
        return text -> pattern.matcher(text).find();
      } catch (PatternSyntaxException wrong) {
        throw new IllegalArgumentException("'%s' is not a pattern (RE2)".formatted(regex), wrong);
      }
    }
  }

  /// The schema of schemas; only who brings a schema of another make needs it.
  private static final class Meta {
    // It comes with the library.
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
