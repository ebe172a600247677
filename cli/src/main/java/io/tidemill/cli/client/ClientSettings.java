package io.tidemill.cli.client;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigResolveOptions;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The two settings that a client needs: where the gateway is, and the data folder that may know.
///
/// A client need not understand the rest, so unknown keys are none of its business.
public final class ClientSettings {
  private static final URI DEFAULT_GATEWAY = URI.create("http://127.0.0.1:8080");

  private final Map<String, String> overrides;
  private final Map<String, String> env;
  private final Config file;

  private ClientSettings(Map<String, String> overrides, Map<String, String> env, Config file) {
    this.overrides = overrides;
    this.env = env;
    this.file = file;
  }

  public static ClientSettings of(SharedOptions options, Map<String, String> env) {
    var file = options.configFile().map(ClientSettings::read).orElseGet(ConfigFactory::empty);
    return new ClientSettings(options.overrides(), env, file);
  }

  private static Config read(Path file) {
    try {
      return ConfigFactory.parseFile(file.toFile())
          .resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true));
    } catch (ConfigException broken) {
      var line = broken.origin() == null ? 0 : broken.origin().lineNumber();
      throw new CommandFailure(
          ExitCode.USAGE, "file %s line %d: not a settings file".formatted(file, line), broken);
    }
  }

  /// The data folder of the instance that is meant.
  public Path data() {
    return Path.of(value("data.dir").orElse("data"));
  }

  /// The gateway that is meant: configured, or running here, or at the usual place.
  URI gateway() {
    return value("http.url")
        .map(url -> GatewayClient.address("http.url", url))
        .or(() -> InstanceAddresses.ofRunning(data()).flatMap(InstanceAddresses::http))
        .orElse(DEFAULT_GATEWAY);
  }

  private Optional<String> value(String key) {
    var name = "TIDEMILL_" + key.replace('.', '_').toUpperCase(Locale.ROOT);
    return Optional.ofNullable(overrides.get(key))
        .or(() -> Optional.ofNullable(env.get(name)))
        .or(() -> written(key))
        .filter(value -> !value.isBlank());
  }

  private Optional<String> written(String key) {
    try {
      return file.hasPath(key) ? Optional.of(file.getString(key)) : Optional.empty();
    } catch (ConfigException notText) {
      throw new CommandFailure(
          ExitCode.USAGE, key + " in the settings file: expected text", notText);
    }
  }
}
