package io.tidemill.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import java.lang.reflect.ParameterizedType;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A value as it was written, where that was, and the step from there to the type of its key.
///
/// @param written a string, number, boolean or list of them
record SettingValue(SettingKey key, Object written, String source) {
  /// The source of a value that nobody set.
  static final String DEFAULT = "default";

  boolean isDefault() {
    return source.equals(DEFAULT);
  }

  Settings.Entry shown() {
    return new Settings.Entry(key.name(), key.shown(text()), source);
  }

  /// The same value for a process in another working directory.
  String portable() {
    return key.component().getType() == Path.class
        ? Path.of(text()).toAbsolutePath().normalize().toString()
        : text();
  }

  String text() {
    return written instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
        : String.valueOf(written);
  }

  Object typed() {
    var type = key.component().getType();
    try {
      if (type == List.class) return list();
      if (written instanceof List<?>) throw expected("one value, not a list");
      if (type == int.class) return Math.toIntExact(whole());
      if (type == long.class) return whole();
      if (type == double.class) return Double.parseDouble(text().strip());
      if (type == boolean.class) return bool();
      if (type == String.class) return text();
      if (type == Path.class) return Path.of(text());
      if (type == Duration.class) return duration();
      if (type == ByteSize.class) return size();
      if (type.isEnum()) return constant(type);
    } catch (NumberFormatException _) {
      throw expected("a number");
    } catch (ArithmeticException _) {
      throw expected("a whole number up to " + Integer.MAX_VALUE);
    } catch (InvalidPathException _) {
      throw expected("a path");
    }
    throw new IllegalArgumentException(
        key.name() + " has a type without a reader: " + type.getName());
  }

  private long whole() {
    try {
      return Long.parseLong(text().strip());
    } catch (NumberFormatException _) {
      throw expected("a whole number");
    }
  }

  private boolean bool() {
    return switch (text().strip()) {
      case "true", "yes", "on" -> true;
      case "false", "no", "off" -> false;
      default -> throw expected("true or false");
    };
  }

  private Duration duration() {
    try {
      return ConfigValueFactory.fromAnyRef(text().strip()).atKey("v").getDuration("v");
    } catch (ConfigException _) {
      throw expected("a duration such as 15s or 200ms");
    }
  }

  private ByteSize size() {
    try {
      return new ByteSize(ConfigValueFactory.fromAnyRef(text().strip()).atKey("v").getBytes("v"));
    } catch (ConfigException | IllegalArgumentException _) {
      throw expected("a size such as 200KiB or 1MB");
    }
  }

  private List<String> list() {
    var generic = (ParameterizedType) key.component().getGenericType();
    if (generic.getActualTypeArguments()[0] != String.class) {
      throw new IllegalArgumentException(key.name() + " must be a List<String>");
    }
    if (written instanceof List<?> list) return list.stream().map(String::valueOf).toList();
    // In JSON each piece would keep a bracket or quotes, and be a value that nobody meant.
    if (text().strip().startsWith("[") && text().strip().endsWith("]")) {
      throw expected("values with commas between them, a,b; the form [a, b] is for the file");
    }
    return Arrays.stream(text().split(",", -1))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }

  private Object constant(Class<?> type) {
    var constants = type.getEnumConstants();
    for (var constant : constants) {
      if (kebab(constant).equals(text().strip())) return constant;
    }
    throw expected(
        "one of "
            + Arrays.stream(constants).map(SettingValue::kebab).collect(Collectors.joining(", ")));
  }

  private static String kebab(Object constant) {
    return SettingKey.kebab(((Enum<?>) constant).name());
  }

  private SettingsException expected(String what) {
    return new SettingsException(
        "%s is '%s' (from %s): expected %s".formatted(key.name(), key.shown(text()), source, what));
  }
}
