package io.tidemill.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigUtil;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The values in a HOCON file by key; `${?NAME}` in it sees the given environment and nothing else.
final class SettingsFile {
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern POSITION = Pattern.compile("^.*?: \\d+: ");

  /// @param written a string, number, boolean or list
  record Value(Object written, String source) {}

  private SettingsFile() {}

  static Map<String, Value> read(@Nullable Path file, Map<String, String> env) {
    var values = new TreeMap<String, Value>();
    if (file == null || !Files.exists(file)) return values;
    for (var entry : parse(file, env).entrySet()) {
      var line = entry.getValue().origin().lineNumber();
      values.put(
          String.join(".", ConfigUtil.splitPath(entry.getKey())),
          new Value(entry.getValue().unwrapped(), "file " + file + " line " + line));
    }
    return values;
  }

  private static Config parse(Path file, Map<String, String> env) {
    try {
      var strict = ConfigParseOptions.defaults().setAllowMissing(false);
      var parsed = ConfigFactory.parseFile(file.toFile(), strict);
      var names = new TreeMap<>(env);
      names.keySet().removeIf(name -> !PLAIN_NAME.matcher(name).matches());
      var known = parsed.withFallback(ConfigFactory.parseMap(names));
      return parsed.resolveWith(known, ConfigResolveOptions.noSystem());
    } catch (ConfigException broken) {
      var line = broken.origin() == null ? 0 : broken.origin().lineNumber();
      throw new SettingsException(
          "file %s line %d: %s".formatted(file, line, reason(broken)), broken);
    }
  }

  private static String reason(ConfigException broken) {
    var firstLine = String.valueOf(broken.getMessage()).lines().findFirst().orElse("not HOCON");
    return POSITION.matcher(firstLine).replaceFirst("");
  }
}
