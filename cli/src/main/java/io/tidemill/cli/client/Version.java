package io.tidemill.cli.client;

import java.io.IOException;
import java.util.Properties;

/// The version of this build, as Maven wrote it into the jar.
public final class Version {
  private static final String MAVEN = "/META-INF/maven/io.tidemill/tidemill-cli/pom.properties";

  private Version() {}

  /// Such as `0.1.0`; `development` outside of a jar.
  public static String current() {
    try (var file = Version.class.getResourceAsStream(MAVEN)) {
      if (file == null) return "development";
      var properties = new Properties();
      properties.load(file);
      return properties.getProperty("version", "development");
    } catch (IOException unreadable) {
      return "development";
    }
  }

  public static String line() {
    return "tidemill %s (Java %s, %s %s)"
        .formatted(
            current(),
            System.getProperty("java.version"),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
  }
}
