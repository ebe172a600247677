package io.tidemill.content.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;

/// Reads text files that are packaged beside a class.
public final class ResourceText {
  private ResourceText() {}

  public static String of(Class<?> home, String name) {
    try (var resource = home.getResourceAsStream(name)) {
      if (resource == null) throw new IllegalStateException(name + " is missing");
      return new String(resource.readAllBytes(), UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /// The lines of a file without its comments, which begin with `#`.
  public static Stream<String> lines(Class<?> home, String name) {
    return of(home, name).lines().filter(line -> !line.startsWith("#"));
  }
}
