package io.tidemill.s3;

import java.util.regex.Pattern;

/// Names of buckets in settings.
public final class BucketName {
  // The rule of S3 and of those that speak its protocol.
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

  private BucketName() {}

  static boolean isName(String name) {
    return NAME.matcher(name).matches() && !name.contains("..");
  }

  /// Refuses what no store would take.
  ///
  /// @param setting its key, for the message
  public static void check(String setting, String name) {
    if (isName(name)) return;
    throw new IllegalArgumentException(
        "%s is '%s': expected the name of a bucket, 3 to 63 small letters, digits and . -"
            .formatted(setting, name));
  }
}
