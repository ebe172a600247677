package io.tidemill.processor.option;

import io.tidemill.api.WorkFailure;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// The fields that an object may have; a misspelled one is refused rather than ignored.
///
/// @param code of the error
/// @param place what a field is called in messages, such as `export: option`
public record KnownFields(String code, String place, Set<String> names) {
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
    return WorkFailure.permanent(
        code,
        "%s %s is not known: expected %s"
            .formatted(place, OptionReader.cut(name), String.join(", ", new TreeSet<>(names))));
  }
}
