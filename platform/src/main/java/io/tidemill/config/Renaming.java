package io.tidemill.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The names that things of the contracts have on a server (G6).
///
/// Code above a transport uses the contract's names only, the transport translates them. A name
/// that is made of another one and a suffix, such as `workflows.dead`, follows the other one.
public final class Renaming {
  private final String setting;
  private final Map<String, String> names;
  private final Map<String, String> originals = new HashMap<>();

  /// @param setting its key, for messages
  /// @param pairs as `name=other`
  public Renaming(String setting, List<String> pairs) {
    this.setting = setting;
    var read = new LinkedHashMap<String, String>();
    for (var pair : pairs) {
      var parts = pair.strip().split("=", 2);
      if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
        throw wrong(pair, "expected pairs such as workflows=acme.workflows");
      }
      if (read.put(parts[0].strip(), parts[1].strip()) != null) {
        throw wrong(pair, "expected each name once");
      }
    }
    names = Map.copyOf(read);
    read.forEach((name, other) -> {
      if (originals.put(other, name) != null) {
        throw wrong(name + "=" + other, "expected another name for each");
      }
    });
  }

  /// Every thing has the contract's name.
  public static Renaming none() {
    return new Renaming("", List.of());
  }

  private IllegalArgumentException wrong(String pair, String expected) {
    return new IllegalArgumentException("%s has '%s': %s".formatted(setting, pair, expected));
  }

  /// Refuses names that the server would not take.
  ///
  /// @param expected what it takes, in words
  public Renaming require(Predicate<String> isLegal, String expected) {
    originals.keySet().stream()
        .filter(isLegal.negate())
        .sorted()
        .findFirst()
        .ifPresent(name -> {
          throw wrong(name, expected);
        });
    return this;
  }

  /// Refuses names that are not known, and two things with one name.
  ///
  /// @param known all names of the contracts that can be changed
  /// @param following further names, which are made of those and a suffix
  public void check(List<String> known, List<String> following) {
    for (var name : names.keySet()) {
      if (!known.contains(name)) {
        throw wrong(name, "expected one of " + String.join(", ", known));
      }
    }
    var all = Stream.concat(known.stream(), following.stream()).distinct().toList();
    var taken = new HashSet<String>();
    for (var original : all) {
      if (!taken.add(name(original))) throw wrong(name(original), "two things have this name");
    }
    for (var original : all) {
      var read = original(name(original));
      if (!read.equals(original)) {
        throw wrong(name(original), "it could be taken for " + read);
      }
    }
  }

  /// The same for names that nothing follows.
  public void check(List<String> known) {
    check(known, List.of());
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

  /// Whether something of ours can be called so on the server. What has the contract's name
  /// although we have another one for it belongs to somebody else.
  public boolean isOurs(String name) {
    return name(original(name)).equals(name);
  }

  public List<String> names(List<String> all) {
    return names.isEmpty() ? all : all.stream().map(this::name).toList();
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
