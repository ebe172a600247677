package io.tidemill.contract.workflow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// One of the steps that every processor of ours has (C2.8), in words.
///
/// @param name that workflows call it by
/// @param does what it does, in half a sentence
/// @param options by name, each in a few words
public record StepForm(String name, String does, Map<String, String> options) {
  public StepForm {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options)); // in this order
  }

  /// The names of its options.
  public Set<String> optionNames() {
    return options.keySet();
  }
}
