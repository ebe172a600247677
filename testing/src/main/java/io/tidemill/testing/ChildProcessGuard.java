package io.tidemill.testing;

import java.util.ArrayList;
import java.util.List;

/// Starts commands that can not outlive this JVM, even when it is killed.
public final class ChildProcessGuard {
  // The watcher's input is a pipe from this JVM, which closes when the JVM ends. The watcher stays
  // when the shell becomes the command, whose process id is therefore the shell's. It sends
  // SIGKILL,
  // since a stopped process receives no other signal.
  private static final String SHELL =
      """
      exec 3<&0 </dev/null
      (read -r line <&3; kill -KILL $$) >/dev/null 2>&1 &
      exec 3<&-
      exec "$@"
      """;

  private ChildProcessGuard() {}

  /// The command as it is to be started: its input is empty, and the process' must stay a pipe.
  public static List<String> guarded(List<String> command) {
    var guarded = new ArrayList<>(List.of("/bin/sh", "-c", SHELL, "guard"));
    guarded.addAll(command);
    return guarded;
  }
}
