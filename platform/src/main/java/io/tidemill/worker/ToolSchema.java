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
import io.tidemill.contract.NumberRange;
import io.tidemill.contract.job.ToolCodec;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The schema of a tool's arguments, ready to check them. It comes with the tool's own code, so it
/// is trusted not to be endless; what it is used on is not trusted at all.
final class ToolSchema {
  private static final int LONGEST = 500;
  private static final String NOT_ONE = "is not a JSON Schema (2020-12): ";
  private static final Dialect DIALECT = Dialects.getDraft202012();
  // It comes with the library.
  private static final Schema META =
      SchemaRegistry.withDialect(
              DIALECT,
              it ->
                  it.schemaRegistryConfig(
                      SchemaRegistryConfig.builder().locale(Locale.ROOT).build()))
          .getSchema(SchemaLocation.of(DIALECT.getId()));
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDialect(
          DIALECT,
          registry ->
              registry
                  .schemaCacheEnabled(false)
                  // Nothing is loaded from anywhere.
                  .schemaLoader(loader -> loader.fetchRemoteResources(false).block(_ -> true))
                  .schemaRegistryConfig(
                      SchemaRegistryConfig.builder()
                          .regularExpressionFactory(ToolSchema::linear)
                          .locale(Locale.ROOT)
                          .build()));

  private final Schema schema;

  private ToolSchema(Schema schema) {
    this.schema = schema;
  }

  /// @throws IllegalArgumentException that names the tool and what is wrong with its schema
  static ToolSchema of(String tool, ObjectNode tree) {
    var fault = ToolCodec.schemaFault(tree);
    if (fault.isPresent()) throw unusable(tool, fault.get());
    try {
      var odd = META.validate(tree);
      if (!odd.isEmpty()) throw unusable(tool, NOT_ONE + reason(odd.getFirst()));
      var schema = REGISTRY.getSchema(tree);
      schema.initializeValidators();
      return new ToolSchema(schema);
    } catch (SchemaException notOne) {
      throw unusable(tool, NOT_ONE + said(notOne));
    }
  }

  private static IllegalArgumentException unusable(String tool, String why) {
    return new IllegalArgumentException(
        "tool '%s' can't be used: its schema %s".formatted(tool, why));
  }

  // A pattern of the JDK's kind can take for ever on a text made for it (F50).
  private static RegularExpression linear(String regex) {
    try {
      var pattern = Pattern.compile(regex);
      return text -> pattern.matcher(text).find();
    } catch (PatternSyntaxException wrong) {
      throw new IllegalArgumentException("'%s' is not a pattern (RE2)".formatted(regex), wrong);
    }
  }

  /// What is wrong with arguments: the first fault, with its place; empty when they fit.
  Optional<String> fault(JsonNode arguments) {
    return NumberRange.fault("", arguments)
        .or(() -> schema.validate(arguments).stream().findFirst().map(ToolSchema::reason));
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
}
