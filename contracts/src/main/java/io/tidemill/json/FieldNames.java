package io.tidemill.json;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The fields that the reader of a JSON object knows: a misspelled one is refused, because to
/// ignore it would do something else than was asked for.
public record FieldNames(List<String> names) {
  // Longer ones are no field of anybody's, and are not shown either.
  private static final int LONGEST = 60;
  private static final int LONG_NAME = 8;

  public FieldNames {
    names = List.copyOf(names);
  }

  public static FieldNames of(String... names) {
    return new FieldNames(List.of(names));
  }

  public FieldNames and(List<String> more) {
    return new FieldNames(Stream.concat(names.stream(), more.stream()).toList());
  }

  /// Allows no other field: for bodies that no contract describes.
  ///
  /// @throws IllegalArgumentException that names the field, and the one that was probably meant
  public void requireKnown(JsonNode object) {
    for (var name : object.propertyNames()) {
      if (names.contains(name)) continue;
      var meant = meant(name).or(() -> NearestName.of(name, names, NearestName.tolerance(name)));
      throw unknown(name, meant.map(FieldNames::question).orElseGet(this::expected));
    }
  }

  /// Allows other fields, as contracts do (G1), except those that are close to an absent one.
  ///
  /// @throws IllegalArgumentException that names the field, and the one that was probably meant
  public void refuseMisspelled(JsonNode object) {
    for (var name : object.propertyNames()) {
      if (names.contains(name)) continue;
      var meant = meant(name).filter(known -> !object.has(known));
      if (meant.isPresent()) throw unknown(name, question(meant.get()));
    }
  }

  // Other cases and separators are no mistakes in letters: `max_pages`, `ttlS`.
  private Optional<String> meant(String typed) {
    if (typed.length() > LONGEST) return Optional.empty();
    var plain = plain(typed);
    var same = names.stream().filter(name -> plain(name).equals(plain)).findFirst();
    return same.or(() -> NearestName.of(typed, names, typed.length() < LONG_NAME ? 1 : 2));
  }

  private static String plain(String name) {
    return name.replaceAll("[_-]", "").toLowerCase(Locale.ROOT);
  }

  private static String question(String name) {
    return "did you mean " + name + "?";
  }

  private String expected() {
    return names.isEmpty() ? "expected none" : "expected one of " + String.join(", ", names);
  }

  private static IllegalArgumentException unknown(String name, String hint) {
    var shown = name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "…";
    return new IllegalArgumentException("unknown field " + shown + ": " + hint);
  }
}
