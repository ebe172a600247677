package io.tidemill.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// All settings of a process: `-s` over environment over file over default, every key known, every
/// value checked.
public final class Settings {
  private static final String ENVIRONMENT_PREFIX = "TIDEMILL_";
  private static final String LAUNCHER_PREFIX = "TIDEMILL_LAUNCHER_";
  // For the launcher, and for commands that are clients of a running instance.
  private static final Set<String> NOT_SETTINGS =
      Set.of("TIDEMILL_JAVA_OPTS", "TIDEMILL_HOME", "TIDEMILL_HTTP_URL", "TIDEMILL_API_KEY");

  /// A key with its value, secrets hidden, and where that came from.
  public record Entry(String key, String value, String source) {}

  private final Map<Class<? extends Record>, Record> sections = new LinkedHashMap<>();
  private final List<SettingValue> values = new ArrayList<>();

  private Settings() {}

  /// Reads and checks every section; what is wrong is reported all at once.
  ///
  /// @param file HOCON; may be absent
  /// @param env the whole environment
  /// @param overrides the `-s key=value` pairs
  public static Settings load(
      @Nullable Path file,
      Map<String, String> env,
      Map<String, String> overrides,
      List<Class<? extends Record>> sections) {
    var keys = sections.stream().flatMap(section -> SettingKey.of(section).stream()).toList();
    var written = SettingsFile.read(file, env);
    var problems = new ArrayList<>(unknown(keys, written, env, overrides));

    var settings = new Settings();
    for (var section : sections) {
      var values = new ArrayList<SettingValue>();
      for (var key : SettingKey.of(section)) values.add(value(key, written, env, overrides));
      settings.add(section, values, problems);
    }
    if (!problems.isEmpty()) throw new SettingsException(problems);
    return settings;
  }

  /// The section of this type, which was among those loaded.
  public <R extends Record> R section(Class<R> type) {
    var section = sections.get(type);
    if (section == null) throw new IllegalArgumentException(type.getName() + " was not loaded");
    return type.cast(section);
  }

  /// Every key with its value and source, in the order of the sections.
  public List<Entry> entries() {
    return values.stream().map(SettingValue::shown).toList();
  }

  /// The key of this name with its value, secrets hidden, and where that came from.
  public Entry entry(String name) {
    return values.stream()
        .filter(value -> value.key().name().equals(name))
        .findFirst()
        .map(SettingValue::shown)
        .orElseThrow(() -> new IllegalArgumentException(name + " was not loaded"));
  }

  /// Whether somebody set this key, be it to its default.
  public boolean isSet(String name) {
    return !entry(name).source().equals(SettingValue.DEFAULT);
  }

  /// Everything that was set, secrets too, as the environment of another process; names of files
  /// and folders lead to the same ones from anywhere.
  ///
  /// @param keys which of them, by name
  public Map<String, String> environment(Predicate<String> keys) {
    var environment = new LinkedHashMap<String, String>();
    for (var value : values) {
      var isWanted = !value.isDefault() && keys.test(value.key().name());
      if (isWanted) environment.put(value.key().environmentName(), value.portable());
    }
    return environment;
  }

  private void add(
      Class<? extends Record> section, List<SettingValue> given, List<String> problems) {
    values.addAll(given);
    var before = problems.size();
    var typed = new ArrayList<Object>();
    for (var value : given) {
      try {
        typed.add(value.typed());
      } catch (SettingsException wrong) {
        problems.addAll(wrong.problems());
      }
    }
    if (problems.size() > before) return;
    try {
      sections.put(section, create(section, given, typed));
    } catch (SettingsException wrong) {
      problems.addAll(wrong.problems());
    }
  }

  private static SettingValue value(
      SettingKey key,
      Map<String, SettingsFile.Value> written,
      Map<String, String> env,
      Map<String, String> overrides) {
    var override = overrides.get(key.name());
    if (override != null) return new SettingValue(key, override, "-s");
    for (var name : key.environmentNames()) {
      var value = env.get(name);
      if (value != null) return new SettingValue(key, value, "environment " + name);
    }
    var value = written.get(key.name());
    if (value != null) return new SettingValue(key, value.written(), value.source());
    return new SettingValue(key, key.setting().value(), SettingValue.DEFAULT);
  }

  private static List<String> unknown(
      List<SettingKey> keys,
      Map<String, SettingsFile.Value> written,
      Map<String, String> env,
      Map<String, String> overrides) {
    var names = new TreeSet<String>();
    var environmentNames = new TreeSet<String>();
    for (var key : keys) {
      names.add(key.name());
      environmentNames.addAll(key.environmentNames());
    }
    var unknown = new ArrayList<String>();
    for (var name : new TreeSet<>(overrides.keySet())) {
      if (!names.contains(name)) unknown.add(unknown(name, names, "-s"));
    }
    written.forEach((name, value) -> {
      if (!names.contains(name)) unknown.add(unknown(name, names, value.source()));
    });
    for (var name : new TreeSet<>(env.keySet())) {
      if (name.startsWith(ENVIRONMENT_PREFIX)
          && !name.startsWith(LAUNCHER_PREFIX)
          && !NOT_SETTINGS.contains(name)
          && !environmentNames.contains(name)) {
        unknown.add(unknown(name, environmentNames, "environment"));
      }
    }
    return unknown;
  }

  private static String unknown(String name, Set<String> names, String source) {
    return "unknown setting %s (from %s)%s".formatted(name, source, NearestMatch.hint(name, names));
  }

  private static Record create(
      Class<? extends Record> section, List<SettingValue> values, List<Object> typed) {
    var types =
        Arrays.stream(section.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      var constructor = section.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(typed.toArray());
    } catch (InvocationTargetException refused) {
      throw new SettingsException(located(section, values, refused.getCause()), refused);
    } catch (ReflectiveOperationException broken) {
      throw new IllegalArgumentException(section.getName() + " can not be built", broken);
    }
  }

  /// A record's own complaint, with the source put behind the value it names.
  private static String located(
      Class<? extends Record> section, List<SettingValue> values, @Nullable Throwable refusal) {
    var message = refusal == null ? "refused" : String.valueOf(refusal.getMessage());
    for (var value : values) {
      var colon = message.indexOf(": ");
      if (message.startsWith(value.key().name() + " ")) {
        var at = colon < 0 ? message.length() : colon;
        return message.substring(0, at) + " (from " + value.source() + ")" + message.substring(at);
      }
    }
    return SettingKey.prefix(section) + ": " + message;
  }
}
