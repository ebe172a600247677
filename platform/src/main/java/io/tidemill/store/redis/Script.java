package io.tidemill.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// A Lua script that Redis runs in one piece, kept as a resource file beside the class that uses it.
///
/// A line `--#include name.lua` is replaced by that file: the fence is written once.
public record Script(String name, byte[] body, byte[] sha) {
  /// Loads the script from the folder of `home`.
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
    var body = whole.toString().getBytes(StandardCharsets.UTF_8);
    return new Script(name, body, sha1(body));
  }

  private static String resource(Class<?> home, String name) {
    try (var in = home.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("no script " + name + " beside " + home);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static byte[] sha1(byte[] body) {
    try {
      var digest = MessageDigest.getInstance("SHA-1").digest(body);
      return HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
