package io.tidemill.contract.collected;

import java.util.regex.Pattern;

/// Where a batch lies (C5.3).
///
/// @param bucket empty when the text names none
public record ObjectPath(String bucket, String path) {
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9._-]{1,255}");
  private static final int LONGEST = 1_300; // S3's keys have 1,024 bytes at most

  /// Splits at the first `/`.
  ///
  /// @throws IllegalArgumentException when the text is empty, or leads anywhere but into a bucket
  public static ObjectPath of(String text) {
    var plain = plain(text);
    if (plain.isEmpty()) throw new IllegalArgumentException("minio_path is empty");
    if (plain.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("minio_path has control characters");
    }
    var slash = plain.indexOf('/');
    var path = plain.substring(slash + 1);
    if (path.isEmpty() || path.startsWith("/") || leavesItsFolder(plain)) {
      throw new IllegalArgumentException("minio_path is not a path in a bucket");
    }
    var bucket = slash < 0 ? "" : plain.substring(0, slash);
    if (slash >= 0 && !BUCKET.matcher(bucket).matches()) {
      throw new IllegalArgumentException("minio_path does not begin with the name of a bucket");
    }
    if (plain.length() > LONGEST) {
      throw new IllegalArgumentException("minio_path is longer than " + LONGEST + " characters");
    }
    return new ObjectPath(bucket, path);
  }

  // Both forms are seen in the wild (C5.2).
  private static String plain(String text) {
    if (text.startsWith("minio://")) return text.substring("minio://".length());
    return text.startsWith("/") ? text.substring(1) : text;
  }

  private static boolean leavesItsFolder(String plain) {
    for (var part : plain.split("[/\\\\]", -1)) {
      if (part.equals("..") || part.equals(".")) return true;
    }
    return false;
  }

  @Override
  public String toString() {
    return bucket.isEmpty() ? path : bucket + "/" + path;
  }
}
