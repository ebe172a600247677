package io.tidemill.processor.expression;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;

/// Patterns in schemas, each with bounded work (F50).
public final class SchemaPatterns implements RegularExpressionFactory {
  @Override
  public RegularExpression getRegularExpression(String regex) {
    var pattern = LinearPattern.of(regex);
    return pattern::isIn;
  }
}
