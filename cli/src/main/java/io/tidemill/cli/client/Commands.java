package io.tidemill.cli.client;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the commands ask of the app, in values.
public final class Commands {
  private Commands() {}

  /// What starts the platform; the app implements it.
  ///
  /// Each may throw a `SettingsException`, which ends the command with one line and exit code 2.
  public interface Launcher {
    /// Starts roles with a local server for each address that is not configured; returns when all
    /// has stopped, with the exit code.
    int up(UpRequest request);

    /// Starts roles against configured servers; returns when all has stopped, with the exit code.
    int run(RunRequest request);

    /// Looks at each server, port, setting, disk and memory.
    List<Finding> doctor(Map<String, String> overrides, Optional<Path> configFile);

    /// Measures, prints and returns the exit code.
    int bench(BenchRequest request);

    /// Copies the search index to a new folder or zip file.
    void snapshot(Path target, Map<String, String> overrides, Optional<Path> configFile);

    /// Writes the search index anew, and returns how many pages it has.
    long rebuild(Map<String, String> overrides, Optional<Path> configFile);

    /// Makes the vectors of pages that have none, or watches how a running indexer does it.
    ///
    /// @param again whether those that are there are made anew
    void vectors(
        boolean again,
        Map<String, String> overrides,
        Optional<Path> configFile,
        VectorsProgress progress);

    /// Runs once through everything that a start needs, to record an AOT cache.
    ///
    /// @param scratch a folder to work in
    int warm(Path scratch);
  }

  /// Hears how far the vectors are.
  @FunctionalInterface
  public interface VectorsProgress {
    /// @param left pages that have no vectors yet
    /// @param elsewhere whether another process makes them
    void at(long left, boolean elsewhere);
  }

  /// @param only the roles to start; empty = all
  /// @param overrides the `-s` pairs, with `--data` as `data.dir` and `--http-port` as `http.port`
  /// @param configFile the settings file that `-c` named, or `./tidemill.conf` when it exists
  public record UpRequest(
      List<String> only, Map<String, String> overrides, Optional<Path> configFile) {
    public UpRequest {
      only = List.copyOf(only);
      overrides = Map.copyOf(overrides);
    }
  }

  /// @param roles at least one
  public record RunRequest(
      List<String> roles, Map<String, String> overrides, Optional<Path> configFile) {
    public RunRequest {
      roles = List.copyOf(roles);
      overrides = Map.copyOf(overrides);
    }
  }

  /// @param what `jobs`, or another part of the platform
  /// @param quick seconds instead of minutes
  public record BenchRequest(
      String what,
      boolean quick,
      boolean json,
      Map<String, String> overrides,
      Optional<Path> configFile) {
    public BenchRequest {
      overrides = Map.copyOf(overrides);
    }
  }

  /// How bad a finding is.
  public enum Level {
    OK,
    WARN,
    FAIL
  }

  /// @param subject what was checked, such as `redis` or `http.port`
  /// @param what what was found
  /// @param advice what to do about it; empty when there is nothing to do
  public record Finding(String subject, Level level, String what, String advice) {}
}
