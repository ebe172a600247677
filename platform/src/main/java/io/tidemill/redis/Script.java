package io.tidemill.redis;

import io.tidemill.content.fingerprint.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// A Lua script that Redis runs in one piece, kept as a resource file beside the class that uses
/// it.
///
/// A line `--#include name.lua` is replaced by that file.
public final class Script {
  private final String name;
  private final String body;
  private final String sha;

  private Script(String name, String body) {
    this.name = name;
    this.body = body;
    this.sha = Digest.sha1().add(body).hex();
  }

  /// Loads the script from the folder of `home`, or from the path that `name` begins with.
  public static Script load(Class<?> home, String name) {
    var text = resource(home, name);
    var whole = new StringBuilder();
    for (var line : text.split("\n", -1)) {
      if (line.startsWith("--#include ")) {
        whole.append(resource(home, line.substring("--#include ".length()).strip()));
      } else {
        whole.append(line).append('\n');
      }
    }
    return new Script(name.substring(name.lastIndexOf('/') + 1), whole.toString());
  }

  /// The same with a line before its first one.
  ///
  /// @param line ends on a blank or a bracket, and has no line break
  Script startingWith(String line) {
    // A first line such as `#!lua flags=no-writes` is for Redis.
    var begin = body.startsWith("#!") ? body.indexOf('\n') + 1 : 0;
    return new Script(name, body.substring(0, begin) + line + " " + body.substring(begin));
  }

  /// The file's name, for messages.
  public String name() {
    return name;
  }

  /// The whole text.
  public String body() {
    return body;
  }

  /// The name for EVALSHA.
  public String sha() {
    return sha;
  }

  static String resource(Class<?> home, String name) {
    try (var in = home.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("no script " + name + " beside " + home);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
