package io.tidemill.config;

import io.tidemill.json.NearestName;
import java.util.Collection;

/// Suggests the known name closest to a misspelled one.
final class NearestMatch {
  private NearestMatch() {}

  /// `: did you mean X`, or nothing when no name is close.
  static String hint(String typed, Collection<String> names) {
    return NearestName.of(typed, names, NearestName.tolerance(typed))
        .map(name -> ": did you mean " + name)
        .orElse("");
  }
}
