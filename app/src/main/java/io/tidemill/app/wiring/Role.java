package io.tidemill.app.wiring;

import io.tidemill.config.SettingsException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// What a process can be.
public enum Role {
  GATEWAY,
  CRAWLER,
  INDEXER,
  COLLECTOR,
  PROCESSOR,
  WORKER;

  public static final Set<Role> ALL = EnumSet.allOf(Role.class);

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The roles of these names; all when there are none.
  ///
  /// @throws SettingsException that names the wrong one
  public static Set<Role> of(List<String> names) {
    if (names.isEmpty()) return ALL;
    return names.stream()
        .map(Role::of)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class)));
  }

  private static Role of(String name) {
    return Arrays.stream(values())
        .filter(role -> role.wire().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new SettingsException(
                "there is no role '%s': expected one of %s".formatted(name, wires(ALL))));
  }

  public static String wires(Set<Role> roles) {
    return roles.stream().map(Role::wire).collect(Collectors.joining(", "));
  }
}
