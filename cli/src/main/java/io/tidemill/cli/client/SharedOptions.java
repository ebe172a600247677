package io.tidemill.cli.client;

import io.tidemill.cli.terminal.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of every command.
public final class SharedOptions {
  private static final Path DEFAULT_FILE = Path.of("tidemill.conf");

  @Option(
      names = {"-s", "--set"},
      paramLabel = "key=value",
      description = "Set one setting; may be given again.",
      order = 90)
  private Map<String, String> overrides = new LinkedHashMap<>();

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The settings file; ./tidemill.conf when it exists.",
      order = 91)
  private @Nullable Path file;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.",
      order = 99)
  @SuppressWarnings("unused") // picocli acts on it
  private boolean help;

  public Map<String, String> overrides() {
    return overrides;
  }

  /// The settings file, which exists.
  public Optional<Path> configFile() {
    if (file == null) return Optional.of(DEFAULT_FILE).filter(Files::isRegularFile);
    if (!Files.isRegularFile(file)) {
      throw CommandFailure.usage("-c is '" + file + "': expected a settings file that exists");
    }
    return Optional.of(file);
  }
}
