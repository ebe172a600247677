package io.tidemill.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The columns of the terminal, also after its window was resized.
final class TerminalWidth {
  private static final int USUAL = 80;
  private static final int LEAST = 20;
  private static final int MOST = 1_000;
  private static final long FRESH_NANOS = Duration.ofSeconds(2).toNanos();

  private final int fixed;
  private int asked;
  private long askedNanos;

  TerminalWidth(Map<String, String> env) {
    fixed = number(env.getOrDefault("COLUMNS", ""));
  }

  int columns() {
    if (fixed > 0) return fixed;
    // To ask costs a process: not for each line that moves.
    if (asked == 0 || System.nanoTime() - askedNanos > FRESH_NANOS) {
      asked = ask();
      askedNanos = System.nanoTime();
    }
    return asked;
  }

  private static int ask() {
    try {
      var stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      var size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      if (!stty.waitFor(1, TimeUnit.SECONDS)) stty.destroyForcibly();
      var columns = number(size.substring(size.indexOf(' ') + 1).strip());
      return columns > 0 ? columns : USUAL;
    } catch (IOException noTerminal) {
      return USUAL;
    } catch (InterruptedException interrupt) {
      throw CommandFailure.interrupted(interrupt);
    }
  }

  private static int number(String text) {
    try {
      var columns = Integer.parseInt(text);
      return columns > 0 ? Math.clamp(columns, LEAST, MOST) : 0;
    } catch (NumberFormatException notANumber) {
      return 0;
    }
  }
}
