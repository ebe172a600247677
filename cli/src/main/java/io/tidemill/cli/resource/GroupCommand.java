package io.tidemill.cli.resource;

import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.terminal.CommandFailure;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// A command such as `tidemill dead` that only groups subcommands.
@Command
public final class GroupCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  private GroupCommand() {}

  /// @param example the words behind the name in an example
  public static CommandLine of(String name, String description, String example) {
    var spec = CommandSpec.forAnnotatedObject(new GroupCommand()).name(name);
    spec.usageMessage().description(description).footer("tidemill " + name + " " + example);
    return new CommandLine(spec);
  }

  @Override
  public Integer call() {
    if (spec == null) throw new IllegalStateException("picocli gives a command its spec");
    var names = List.copyOf(spec.subcommands().keySet());
    var last = names.size() - 1;
    throw CommandFailure.usage(
        "%s needs a word more: expected %s or %s"
            .formatted(spec.name(), String.join(", ", names.subList(0, last)), names.get(last)));
  }
}
