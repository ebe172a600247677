package io.tidemill.cli.resource;

import io.tidemill.cli.client.OptionValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/// An option that narrows a list.
///
/// @param names of the option; a message has the first
/// @param parameter of the gateway's query
/// @param values that there are; empty = any
/// @param isCompleted whether the shell and the help know the values
public record ListFilter(
    List<String> names,
    String label,
    String help,
    String parameter,
    List<String> values,
    boolean isCompleted) {
  /// Takes any text.
  public static ListFilter any(String name, String label, String help, String parameter) {
    return new ListFilter(List.of(name), label, help, parameter, List.of(), false);
  }

  /// Takes one of these, whose parameter has the name of the option.
  public static ListFilter oneOf(String name, String label, String help, List<String> values) {
    return new ListFilter(List.of(name), label, help, name.replace("--", ""), values, false);
  }

  /// The same, and the shell and the help know the values.
  public ListFilter completed() {
    return new ListFilter(names, label, help, parameter, values, true);
  }

  OptionSpec option() {
    var option =
        OptionSpec.builder(names.toArray(String[]::new))
            .type(String.class)
            .paramLabel(label)
            .description(help);
    if (isCompleted) option.completionCandidates(values);
    return option.build();
  }

  void check(@Nullable String value) {
    if (!values.isEmpty()) OptionValue.oneOf(names.getFirst(), value, values);
  }
}
