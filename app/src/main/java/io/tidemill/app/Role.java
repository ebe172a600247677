package io.tidemill.app;

import io.tidemill.config.SettingsException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// What a process can be.
enum Role {
  GATEWAY,
  WORKER;

  static final Set<Role> ALL = EnumSet.allOf(Role.class);

  // Named by the design, built by later versions.
  private static final Set<String> TO_COME = Set.of("crawler", "indexer", "collector", "processor");

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The roles of these names.
  ///
  /// @throws SettingsException that names the wrong one
  static Set<Role> of(List<String> names) {
    var roles = EnumSet.noneOf(Role.class);
    for (var name : names) roles.add(of(name));
    return roles;
  }

  private static Role of(String name) {
    if (TO_COME.contains(name)) {
      throw new SettingsException(
          "role '%s' is not part of this version; there are: %s".formatted(name, known()));
    }
    return Arrays.stream(values())
        .filter(role -> role.wire().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new SettingsException("there is no role '%s'; there are: %s".formatted(name, known())));
  }

  private static String known() {
    return ALL.stream().map(Role::wire).collect(Collectors.joining(", "));
  }
}
