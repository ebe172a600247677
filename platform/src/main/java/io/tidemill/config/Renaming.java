package io.tidemill.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The names that things of the contracts have on a server (G6).
///
/// Code above a transport uses the contract's names only, the transport translates them. A name
/// that is made of another one and a suffix, such as `workflows.dead`, follows the other one.
public final class Renaming {
  private final Map<String, String> names;
  private final Map<String, String> originals = new HashMap<>();

  /// @param setting its key, for messages
  /// @param pairs as `name=other`
  public Renaming(String setting, List<String> pairs) {
    var read = new LinkedHashMap<String, String>();
    for (var pair : pairs) {
      var parts = pair.strip().split("=", 2);
      if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
        throw wrong(setting, pair, "expected pairs such as workflows=acme.workflows");
      }
      if (read.put(parts[0].strip(), parts[1].strip()) != null) {
        throw wrong(setting, pair, "expected each name once");
      }
    }
    names = Map.copyOf(read);
    read.forEach((name, other) -> {
      if (originals.put(other, name) != null) {
        throw wrong(setting, name + "=" + other, "expected another name for each");
      }
    });
  }

  private static IllegalArgumentException wrong(String setting, String pair, String expected) {
    return new IllegalArgumentException("%s has '%s': %s".formatted(setting, pair, expected));
  }

  /// Refuses names that are not known, and two things with one name.
  ///
  /// @param known all names of the contracts
  public void check(String setting, List<String> known) {
    for (var name : names.keySet()) {
      if (!known.contains(name)) {
        throw wrong(setting, name, "expected one of " + String.join(", ", known));
      }
    }
    var taken = new HashSet<String>();
    for (var name : known) {
      if (!taken.add(name(name))) throw wrong(setting, name(name), "two things have this name");
    }
  }

  /// Whether this one is listed.
  public boolean has(String name) {
    return names.containsKey(name);
  }

  /// What a thing is called on the server.
  public String name(String original) {
    return replaced(original, names);
  }

  /// The contract's name of what is called so on the server.
  public String original(String name) {
    return replaced(name, originals);
  }

  public List<String> names(List<String> all) {
    return all.stream().map(this::name).toList();
  }

  // The longest part that ends before a dot, or the whole.
  private static String replaced(String name, Map<String, String> by) {
    if (by.isEmpty()) return name;
    for (int end = name.length(); end > 0; end = name.lastIndexOf('.', end - 1)) {
      var other = by.get(name.substring(0, end));
      if (other != null) return other + name.substring(end);
    }
    return name;
  }
}
