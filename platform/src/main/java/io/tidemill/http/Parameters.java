package io.tidemill.http;

import io.tidemill.json.FieldNames;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The query parameters of a request, checked as they are read; an empty one counts as absent.
public final class Parameters {
  private final Request request;

  public Parameters(Request request) {
    this.request = request;
  }

  /// Refuses a parameter.
  public static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String parameter;

    public Wrong(String parameter, String expected) {
      super(parameter + " must be " + expected);
      this.parameter = parameter;
    }

    private Wrong(IllegalArgumentException unknown) {
      super(unknown.getMessage(), unknown);
      this.parameter = "";
    }

    /// Refuses the fields of a body that its reader does not know.
    public static void requireKnown(FieldNames names, JsonNode body) {
      try {
        names.requireKnown(body);
      } catch (IllegalArgumentException unknown) {
        throw new Wrong(unknown);
      }
    }

    public String parameter() {
      return parameter;
    }
  }

  private @Nullable String given(String name) {
    return request.query(name).map(String::strip).filter(text -> !text.isEmpty()).orElse(null);
  }

  /// A text; empty when absent.
  public String text(String name, int longest) {
    var text = given(name);
    if (text == null) return "";
    if (text.length() > longest) throw new Wrong(name, "at most " + longest + " characters");
    return text;
  }

  public int number(String name, int otherwise, int least, int most) {
    var text = given(name);
    if (text == null) return otherwise;
    try {
      var number = Integer.parseInt(text);
      if (number >= least && number <= most) return number;
    } catch (NumberFormatException notANumber) {
      // Refused below, like a number out of bounds.
    }
    throw new Wrong(name, "a whole number from " + least + " to " + most);
  }

  public boolean flag(String name) {
    var text = given(name);
    if (text == null || text.equals("false")) return false;
    if (text.equals("true")) return true;
    throw new Wrong(name, "true or false");
  }

  /// One of the constants of an enum, in lower case.
  public <E extends Enum<E>> E choice(String name, E otherwise) {
    var text = given(name);
    if (text == null) return otherwise;
    var all = otherwise.getDeclaringClass().getEnumConstants();
    for (var constant : all) {
      if (wire(constant).equals(text)) return constant;
    }
    throw new Wrong(
        name, Arrays.stream(all).map(Parameters::wire).collect(Collectors.joining(" or ")));
  }

  /// One of these texts; null when absent.
  public @Nullable String oneOf(String name, List<String> texts) {
    var text = given(name);
    if (text == null || texts.contains(text)) return text;
    throw new Wrong(name, String.join(" or ", texts));
  }

  private static String wire(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /// A moment: `2026-01-04`, or with time and offset.
  ///
  /// @param end whether a day without time means its end
  public @Nullable Instant date(String name, boolean end) {
    var text = given(name);
    if (text == null) return null;
    try {
      if (text.length() == 10) {
        var day = LocalDate.parse(text);
        return (end ? day.plusDays(1) : day).atStartOfDay(ZoneOffset.UTC).toInstant();
      }
      var time = OffsetDateTime.parse(text);
      if (time.getYear() >= 1 && time.getYear() <= 9999) return time.toInstant();
      throw new Wrong(name, "a date from year 1 to year 9999");
    } catch (DateTimeParseException notADate) {
      throw new Wrong(name, "a date such as 2026-01-04 or 2026-01-04T01:09:27Z");
    }
  }
}
