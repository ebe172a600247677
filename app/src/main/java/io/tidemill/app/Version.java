package io.tidemill.app;

/// The version of this build.
public final class Version {
  /// As in the project's pom.
  public static final String TEXT = "0.1.0";

  private Version() {}
}
