package io.tidemill.processor.steps;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;

/// Patterns in schemas, each with bounded work (F50).
final class LinearPatterns implements RegularExpressionFactory {
  @Override
  public RegularExpression getRegularExpression(String regex) {
    var pattern = LinearPattern.of(regex);
    return pattern::isIn;
  }
}
