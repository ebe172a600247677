package io.tidemill.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;

/// What a command's end means to a script.
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;
  public static final int UNREACHABLE = 3;
  public static final int INTERRUPTED = 130;

  private ExitCode() {}

  /// The codes as `--help` explains them.
  public static Map<String, String> explained() {
    var codes = new LinkedHashMap<String, String>();
    codes.put(" 0", "it worked");
    codes.put(
        " 1", "it failed: a job, crawl, workflow or task did not end well, or the gateway said no");
    codes.put(" 2", "the command line or a setting is wrong");
    codes.put(" 3", "no gateway can be reached");
    codes.put("130", "interrupted");
    return codes;
  }
}
