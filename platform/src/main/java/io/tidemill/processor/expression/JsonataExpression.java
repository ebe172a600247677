package io.tidemill.processor.expression;

import com.dashjoin.jsonata.JException;
import com.dashjoin.jsonata.Jsonata;
import io.tidemill.api.WorkFailure;
import io.tidemill.processor.option.OptionReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One JSONata expression over records, bounded in time, depth and size (F50).
///
/// Confined to the thread that created it.
public final class JsonataExpression {
  /// The error code of a failed expression.
  public static final String ERROR = "TRANSFORM_ERROR";

  private static final int LONGEST = 10_000;
  private static final String VALUE = "v";

  private final String field;
  private final Jsonata jsonata;
  private final ExpressionBounds bounds;

  private JsonataExpression(String field, Jsonata jsonata, ExpressionBounds bounds) {
    this.field = field;
    this.jsonata = jsonata;
    this.bounds = bounds;
  }

  /// An expression failed on a record.
  public static final class Failed extends Exception {
    Failed(String message) {
      super(message, null, false, false);
    }
  }

  /// @param field its name in messages
  /// @throws WorkFailure when it is not an expression
  static JsonataExpression of(String field, String text) throws WorkFailure {
    if (text.length() > LONGEST) {
      throw wrong(field, "it is longer than " + LONGEST + " characters");
    }
    try {
      var safe = RegexLiterals.replaced(text);
      var _ = Jsonata.jsonata(safe);
      // In an object a missing value differs from null.
      var jsonata = Jsonata.jsonata("{\"" + VALUE + "\":(" + safe + "\n)}");
      var bounds = new ExpressionBounds();
      bounds.guard(jsonata);
      BoundedFunctions.replace(jsonata);
      return new JsonataExpression(field, jsonata, bounds);
    } catch (JException notOne) {
      throw wrong(field, message(notOne));
    } catch (RuntimeException odd) {
      throw wrong(field, String.valueOf(odd.getMessage()));
    } catch (StackOverflowError deep) {
      throw wrong(field, "it is nested too deeply");
    }
  }

  /// Replaces the expression that this thread created last.
  ///
  /// The library keeps its evaluation state in the expression that the thread created last,
  /// whichever it evaluates; that must not be one that is used again.
  static void settle() {
    var _ = Jsonata.jsonata("null");
  }

  private static WorkFailure wrong(String field, String why) {
    return WorkFailure.permanent(
        ERROR, "transform: %s is not an expression: %s".formatted(field, why));
  }

  private static String message(JException failed) {
    var message = String.valueOf(failed.getMessage());
    return failed.getLocation() > 0 ? message + " at " + failed.getLocation() : message;
  }

  /// The value for a record; null when the expression gives none.
  ///
  /// @param input a record as [ExpressionValues#of] makes it
  @Nullable JsonNode evaluate(@Nullable Object input) throws Failed {
    try {
      bounds.begin();
      if (!(jsonata.evaluate(input) instanceof Map<?, ?> found) || !found.containsKey(VALUE)) {
        return null;
      }
      return ExpressionValues.json(found.get(VALUE));
    } catch (JException failed) {
      throw new Failed(field + ": " + OptionReader.cut(String.valueOf(failed.getMessage()), 200));
    } catch (StackOverflowError deep) {
      throw new Failed(field + ": it goes too deep");
    } catch (RuntimeException odd) {
      throw new Failed(field + ": " + OptionReader.cut(String.valueOf(odd.getMessage()), 200));
    }
  }

  /// Whether the value is true in the sense of JSONata.
  boolean isTrue(@Nullable Object input) throws Failed {
    var value = evaluate(input);
    return value != null && isTrue(value);
  }

  private static boolean isTrue(JsonNode value) {
    if (value.isNull()) return false;
    if (value.isBoolean()) return value.booleanValue();
    if (value.isString()) return !value.stringValue().isEmpty();
    if (value.isNumber()) return value.decimalValue().signum() != 0;
    return value.isArray()
        ? value.valueStream().anyMatch(JsonataExpression::isTrue)
        : !value.isEmpty();
  }
}
