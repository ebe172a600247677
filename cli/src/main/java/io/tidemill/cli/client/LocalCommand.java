package io.tidemill.cli.client;

import io.tidemill.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/// A command that acts on this machine.
public abstract class LocalCommand implements Callable<Integer> {
  protected final CommandSession session;

  @Mixin protected SharedOptions shared = new SharedOptions();

  protected LocalCommand(CommandSession session) {
    this.session = session;
  }

  protected Terminal terminal() {
    return session.terminal();
  }
}
