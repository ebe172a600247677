package io.tidemill.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The header fields of an answer, as they came; names are compared without regard to case.
public final class HttpHeaders {
  /// No fields.
  public static final HttpHeaders NONE = new HttpHeaders(List.of());

  // Name, value, name, value: a page has a dozen fields, and looking through them is fastest.
  private final List<String> fields;

  private HttpHeaders(List<String> fields) {
    this.fields = fields;
  }

  /// @param fields a name, its value, the next name, and so on
  public static HttpHeaders of(String... fields) {
    if (fields.length % 2 != 0) throw new IllegalArgumentException("a name without a value");
    return new HttpHeaders(List.of(fields));
  }

  static HttpHeaders of(List<String> fields) {
    return new HttpHeaders(fields);
  }

  /// The value of the first field of that name.
  public Optional<String> first(String name) {
    for (int i = 0; i < fields.size(); i += 2) {
      if (fields.get(i).equalsIgnoreCase(name)) return Optional.of(fields.get(i + 1));
    }
    return Optional.empty();
  }

  /// The values of all fields of that name.
  public List<String> all(String name) {
    var values = new ArrayList<String>(1);
    for (int i = 0; i < fields.size(); i += 2) {
      if (fields.get(i).equalsIgnoreCase(name)) values.add(fields.get(i + 1));
    }
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HttpHeaders headers && headers.fields.equals(fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
