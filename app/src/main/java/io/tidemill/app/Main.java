package io.tidemill.app;

import io.tidemill.cli.Cli;

/// Where the process begins and ends.
public final class Main {
  private Main() {}

  /// Runs one command and exits with its code.
  public static void main(String[] args) {
    var began = System.nanoTime();
    // Servers that start side by side must not be the first to set up logging: they would deadlock.
    var _ = System.getLogger(Main.class.getName());
    var env = System.getenv();
    var code =
        Cli.run(
            args,
            new ProductLauncher(env, System.out, began),
            env,
            System.out,
            System.err,
            System.in);
    // Some servers leave threads behind that would keep the process alive.
    System.exit(code);
  }
}
