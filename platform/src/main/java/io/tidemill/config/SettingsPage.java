package io.tidemill.config;

import java.util.List;
import java.util.stream.Collectors;

/// The page of all settings, written from the records that declare them.
public final class SettingsPage {
  private SettingsPage() {}

  /// Markdown with one table per section.
  public static String markdown(List<Class<? extends Record>> sections) {
    return sections.stream().map(SettingsPage::section).collect(Collectors.joining("\n", HEAD, ""));
  }

  private static final String HEAD =
      """
      # Settings

      Written from the code; do not edit. `-s key=value` wins over the environment, that over `tidemill.conf`,
      that over the default. Durations are written `15s` or `200ms`, sizes `200KiB`, lists `a,b` or `[a, b]`.

      """;

  private static String section(Class<? extends Record> section) {
    var rows = SettingKey.of(section).stream().map(SettingsPage::row).collect(Collectors.joining());
    return """
    ## %s

    | key | default | environment | meaning |
    |---|---|---|---|
    %s\
    """
        .formatted(SettingKey.prefix(section), rows);
  }

  private static String row(SettingKey key) {
    var names =
        key.environmentNames().stream().map(SettingsPage::code).collect(Collectors.joining(", "));
    var setting = key.setting();
    var value = setting.value().isEmpty() ? "" : code(setting.value());
    return "| %s | %s | %s | %s |\n"
        .formatted(code(key.name()), value, names, setting.doc().replace("|", "\\|"));
  }

  private static String code(String text) {
    return "`" + text.replace("|", "\\|") + "`";
  }
}
