package io.tidemill.processor.step;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.BasicDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.KeywordType;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.json.NumberRange;
import io.tidemill.processor.expression.LinearPattern;
import io.tidemill.processor.option.OptionReader;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// A JSON Schema (2020-12) that loads nothing from elsewhere.
final class SchemaCheck implements RecordCheck {
  private static final int LARGEST = 256 * 1024;
  private static final int LONGEST_REASON = 300;
  private static final Dialect DIALECT =
      Dialect.builder(Dialects.getDraft202012())
          .keyword(new CountedSchemaRef(KeywordType.REF))
          .keyword(new CountedSchemaRef(KeywordType.DYNAMIC_REF))
          .build();
  // It is packaged with the library.
  private static final Schema META =
      SchemaRegistry.withDefaultDialect(
              Dialects.getDraft202012(),
              it ->
                  it.schemaRegistryConfig(
                      SchemaRegistryConfig.builder().locale(Locale.ROOT).build()))
          .getSchema(SchemaLocation.of(DIALECT.getId()));

  private final Schema schema;

  private SchemaCheck(Schema schema) {
    this.schema = schema;
  }

  static SchemaCheck of(JsonNode tree) throws WorkFailure {
    if (!tree.isObject() && !tree.isBoolean()) throw wrong("must be a JSON Schema: an object");
    if (Json.bytes(tree).length > LARGEST) {
      throw wrong("is larger than " + LARGEST / 1024 + " KiB");
    }
    // A schema divides by its own numbers.
    var fault = NumberRange.fault("", tree);
    if (fault.isPresent()) throw wrong("can't be used: " + fault.get());
    try {
      var odd = META.validate(tree);
      if (!odd.isEmpty()) throw wrong("is not a JSON Schema (2020-12): " + reason(odd.getFirst()));
      var schema = registry().getSchema(tree);
      schema.initializeValidators();
      return new SchemaCheck(schema);
    } catch (SchemaException | IllegalArgumentException | CountedSchemaRef.TooMuch notOne) {
      throw wrong("is not a JSON Schema (2020-12): " + message(notOne));
    } catch (StackOverflowError deep) {
      throw wrong("is nested too deeply");
    }
  }

  // One for each schema: an `$id` must not be visible to other schemas.
  private static SchemaRegistry registry() {
    return SchemaRegistry.builder()
        .defaultDialectId(DIALECT.getId())
        .dialectRegistry(new BasicDialectRegistry(DIALECT))
        .schemaCacheEnabled(false)
        .schemaLoader(loader -> loader.fetchRemoteResources(false).block(_ -> true))
        .schemaRegistryConfig(
            SchemaRegistryConfig.builder()
                .regularExpressionFactory(regex -> LinearPattern.of(regex)::isIn)
                .locale(Locale.ROOT)
                .build())
        .build();
  }

  private static String message(RuntimeException notOne) {
    return OptionReader.cut(
        String.valueOf(notOne.getMessage()).lines().findFirst().orElse(""), LONGEST_REASON);
  }

  private static WorkFailure wrong(String why) {
    return WorkFailure.permanent(OptionReader.INVALID, "validate: option schema " + why);
  }

  @Override
  public List<String> faults(JsonNode record) {
    var fault = NumberRange.fault("", record);
    if (fault.isPresent()) return List.of(fault.get());
    try {
      return schema.validate(record).stream().limit(MOST_REASONS).map(SchemaCheck::reason).toList();
    } catch (RuntimeException odd) {
      // A record that the validator fails on must not fail the others.
      return List.of(message(odd));
    } catch (StackOverflowError deep) {
      return List.of("the schema goes too deep for this record");
    }
  }

  private static String reason(Error error) {
    var where = error.getInstanceLocation().toString();
    var place =
        where.isEmpty() || where.equals("$") ? "" : where.substring(1).replace('/', '.') + " ";
    return OptionReader.cut(place + error.getMessage(), LONGEST_REASON);
  }
}
