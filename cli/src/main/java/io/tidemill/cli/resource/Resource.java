package io.tidemill.cli.resource;

import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// One kind of resource of the gateway, for the commands on a single one.
///
/// @param command the name after `tidemill`
/// @param subject how a sentence about one begins, such as `the job`
/// @param label what names one: `ID` or `URL`
/// @param labelHelp the help on that
/// @param example one that an example is about
/// @param path where the gateway has the one of this name
public record Resource(
    String command,
    String subject,
    String label,
    String labelHelp,
    String example,
    UnaryOperator<String> path) {
  /// Where the gateway has this one.
  public String path(String id) {
    return path.apply(id);
  }

  /// The hint for a user who stops following.
  public String advice(String id) {
    return "%n%1$s goes on; see it again: tidemill %2$s follow %3$s%nstop it: tidemill %2$s cancel %3$s"
        .formatted(subject, command, id);
  }

  /// Completes the help of an annotated command whose only argument names one of this kind.
  ///
  /// @param options more of the example, behind the name; may be empty
  CommandLine commandLine(Object annotated, String description, String options) {
    var spec = CommandSpec.forAnnotatedObject(annotated);
    var argument = spec.positionalParameters().getFirst();
    spec.remove(argument);
    spec.add(argument.toBuilder().paramLabel(label).description(labelHelp).build());
    var typed = "tidemill %s %s %s %s".formatted(command, spec.name(), example, options);
    spec.usageMessage().description(description).footer(typed.stripTrailing());
    return new CommandLine(spec);
  }
}
