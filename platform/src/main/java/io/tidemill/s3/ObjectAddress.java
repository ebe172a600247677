package io.tidemill.s3;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/// The address of one object, `s3://bucket/key`, that can't escape its bucket (F53).
public record ObjectAddress(String bucket, String key) {
  private static final String SCHEME = "s3://";
  private static final int LONGEST_KEY = 1024; // S3's own limit, in bytes

  /// @throws IllegalArgumentException with what is wrong, when it is not such a name
  public static ObjectAddress parse(String text) {
    if (!text.startsWith(SCHEME)) throw wrong("expected s3://bucket/key");
    var path = text.substring(SCHEME.length());
    var slash = path.indexOf('/');
    if (slash < 0) throw wrong("it names no key");
    var bucket = path.substring(0, slash);
    if (!BucketName.isName(bucket)) throw wrong("it names no bucket");
    var key = path.substring(slash + 1);
    check(key);
    return new ObjectAddress(bucket, key);
  }

  /// The address of a key that may come from anywhere; empty when that is no plain path.
  public static Optional<ObjectAddress> of(String bucket, String key) {
    try {
      check(key);
      return Optional.of(new ObjectAddress(bucket, key));
    } catch (IllegalArgumentException noKey) {
      return Optional.empty();
    }
  }

  private static void check(String key) {
    if (key.getBytes(StandardCharsets.UTF_8).length > LONGEST_KEY)
      throw wrong("the key is too long");
    if (key.indexOf('\\') >= 0 || key.chars().anyMatch(ObjectAddress::isUnseen)) {
      throw wrong("the key has characters that no key may have");
    }
    // A store or proxy on the way may decode once more.
    var decoded = key.toLowerCase(Locale.ROOT);
    if (decoded.contains("%2e")
        || decoded.contains("%2f")
        || decoded.contains("%5c")
        || decoded.contains("%00")) {
      throw wrong("the key has encoded dots or slashes");
    }
    for (var part : key.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw wrong("the key is not a plain path");
      }
    }
  }

  private static boolean isUnseen(int c) {
    return Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
  }

  private static IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException("not the address of an object: " + why);
  }

  /// The last part of the key: what a downloaded file is called.
  public String name() {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return SCHEME + bucket + "/" + key;
  }
}
