package io.tidemill.processor.step;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordType;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import tools.jackson.databind.JsonNode;

/// A `$ref` with a limit on how often one record may follow it.
///
/// Without references the work is bounded by schema times record; with them a schema can recurse
/// endlessly, or twice at every level (F50).
record CountedSchemaRef(KeywordType type) implements Keyword {
  private static final int MOST = 50_000;
  private static final int DEEPEST = 250;

  /// How often references were followed for one record.
  private static final class Count {
    int all;
    int depth;
  }

  /// The schema exceeds the limits.
  static final class TooMuch extends RuntimeException {
    TooMuch(String message) {
      super(message, null, false, false);
    }
  }

  @Override
  public String getValue() {
    return type.getValue();
  }

  @Override
  public KeywordValidator newValidator(
      SchemaLocation location, JsonNode node, Schema parent, SchemaContext context) {
    return new Counted(type.newValidator(location, node, parent, context));
  }

  private record Counted(KeywordValidator validator) implements KeywordValidator {
    @Override
    public void validate(
        ExecutionContext context, JsonNode instance, JsonNode root, NodePath location) {
      Count count = context.getCollectorContext().computeIfAbsent(Count.class, _ -> new Count());
      if (++count.all > MOST) throw new TooMuch("the schema follows references too often");
      if (++count.depth > DEEPEST) throw new TooMuch("the schema follows references too deep");
      validator.validate(context, instance, root, location);
      count.depth--;
    }

    @Override
    public void preloadSchema() throws SchemaException {
      validator.preloadSchema();
    }

    @Override
    public String getKeyword() {
      return validator.getKeyword();
    }

    @Override
    public SchemaLocation getSchemaLocation() {
      return validator.getSchemaLocation();
    }
  }
}
