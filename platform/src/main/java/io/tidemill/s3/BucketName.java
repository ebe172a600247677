package io.tidemill.s3;

import java.util.regex.Pattern;

/// Names of buckets in settings.
public final class BucketName {
  // S3 itself has small letters only, other stores are not so strict.
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]");

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
        "%s is '%s': expected the name of a bucket, 3 to 63 letters, digits and . _ -"
            .formatted(setting, name));
  }
}
