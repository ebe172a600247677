package io.tidemill.contract.collected;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Ids of pages that our own crawler collects (C5.7): the beginning of the SHA-256 of the page's
/// URL. Known consumers have room for 50 characters.
public final class WebItemId {
  private static final int LENGTH = 32;

  // Version 0.1.0 wrote all digits of the hash.
  private static final int LONG = 64;

  private WebItemId() {}

  /// The same for the same URL, whatever the page says.
  public static String of(String url) {
    return hash(url).substring(0, LENGTH);
  }

  /// The id that an item has today: batches of version 0.1.0 may be collected again, and their
  /// pages are no other ones.
  public static String current(String id, String url) {
    return id.length() == LONG && id.equals(hash(url)) ? id.substring(0, LENGTH) : id;
  }

  private static String hash(String url) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(url.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
