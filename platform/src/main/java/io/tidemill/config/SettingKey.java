package io.tidemill.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// One key, as a record component declares it.
record SettingKey(String name, RecordComponent component, Setting setting) {

  static List<SettingKey> of(Class<? extends Record> section) {
    var prefix = prefix(section);
    return Arrays.stream(section.getRecordComponents())
        .map(component ->
            new SettingKey(prefix + "." + last(component), component, setting(component)))
        .toList();
  }

  private static String last(RecordComponent component) {
    var key = setting(component).key();
    return key.isEmpty() ? kebab(component.getName()) : key;
  }

  static String prefix(Class<? extends Record> section) {
    var annotation = section.getAnnotation(Section.class);
    if (annotation == null)
      throw new IllegalArgumentException(section.getName() + " has no @Section");
    return annotation.value();
  }

  /// The name of our own that this key has in the environment.
  String environmentName() {
    return "TIDEMILL_" + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /// The names this key has in the environment, the one that wins first.
  List<String> environmentNames() {
    var names = new ArrayList<String>();
    names.add(environmentName());
    if (!setting.env().isEmpty()) names.add(setting.env());
    return names;
  }

  /// How a value of this key may be shown.
  String shown(String value) {
    return setting.secret() && !value.isEmpty() ? "***" : value;
  }

  private static Setting setting(RecordComponent component) {
    var setting = component.getAnnotation(Setting.class);
    if (setting == null) {
      throw new IllegalArgumentException(
          component.getDeclaringRecord().getName()
              + "."
              + component.getName()
              + " has no @Setting");
    }
    return setting;
  }

  /// `maxBody` is `max-body`; also used for the names of enum constants.
  static String kebab(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").replace('_', '-').toLowerCase(Locale.ROOT);
  }
}
