package io.tidemill.processor.option;

import io.tidemill.api.WorkFailure;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// The fields that somebody's object may have: a misspelled one must not be ignored in silence.
///
/// @param code of the refusal
/// @param place what a field is called in messages, such as `export: option`
public record KnownFields(String code, String place, Set<String> names) {
  private static final int LONGEST_QUOTE = 40;

  public KnownFields {
    names = Set.copyOf(names);
  }

  /// @throws WorkFailure permanent, with the name of the first that is not known
  public void check(ObjectNode object) throws WorkFailure {
    for (var name : object.propertyNames()) {
      if (!names.contains(name)) throw unknown(name);
    }
  }

  private WorkFailure unknown(String name) {
    var quoted = name.length() <= LONGEST_QUOTE ? name : name.substring(0, LONGEST_QUOTE) + "…";
    return WorkFailure.permanent(
        code,
        "%s %s is not known: expected %s"
            .formatted(place, quoted, String.join(", ", new TreeSet<>(names))));
  }
}
