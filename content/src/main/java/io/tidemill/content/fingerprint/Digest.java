package io.tidemill.content.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The digest of bytes and of texts in UTF-8, one behind the other; asking for it ends it.
public final class Digest {
  private final MessageDigest digest;

  private Digest(String algorithm) {
    try {
      digest = MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has " + algorithm, impossible);
    }
  }

  public static Digest sha256() {
    return new Digest("SHA-256");
  }

  /// For protocols that need it, such as Redis; not collision-resistant.
  public static Digest sha1() {
    return new Digest("SHA-1");
  }

  public Digest add(String text) {
    return add(text.getBytes(UTF_8));
  }

  public Digest add(byte[] bytes) {
    digest.update(bytes);
    return this;
  }

  public byte[] bytes() {
    return digest.digest();
  }

  /// In lower-case hexadecimal digits.
  public String hex() {
    return HexFormat.of().formatHex(bytes());
  }

  /// The first bytes in lower-case hexadecimal digits.
  public String hex(int length) {
    return HexFormat.of().formatHex(bytes(), 0, length);
  }
}
