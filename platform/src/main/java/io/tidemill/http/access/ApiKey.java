package io.tidemill.http.access;

import io.tidemill.content.fingerprint.Digest;
import io.tidemill.http.Access;
import io.tidemill.http.Identity;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// One entry of `api.keys`: who holds the key, what that allows, and the key's SHA-256, never the
/// key.
final class ApiKey {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final String DIGEST = "sha256:";
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");
  private static final int MARK_BYTES = 6;
  private static final int SHORT = 16;

  private final Identity identity;
  private final String mark;
  private final byte[] digest;
  private final boolean isShort;

  private ApiKey(Access role, Optional<String> name, String key) {
    this.digest = keyDigest(key);
    this.isShort = !key.startsWith(DIGEST) && key.length() < SHORT;
    this.mark = HexFormat.of().formatHex(digest, 0, MARK_BYTES);
    this.identity = new Identity(Optional.of(mark), name, role, false);
  }

  /// Reads `KEY` or `ROLE:NAME:KEY`, where the key may be `sha256:HEX`; the refusal quotes neither.
  static ApiKey parse(String entry) {
    if (entry.isBlank()) throw new IllegalArgumentException("has an empty key: expected text");
    var colon = entry.indexOf(':');
    var role = colon < 0 ? Optional.<Access>empty() : Access.role(entry.substring(0, colon));
    if (role.isEmpty()) return new ApiKey(Access.ADMIN, Optional.empty(), entry);
    var rest = entry.substring(colon + 1);
    var second = rest.indexOf(':');
    var name = second < 0 ? rest : rest.substring(0, second);
    if (second < 0 || !NAME.matcher(name).matches() || name.equals(Identity.NOBODY.who())) {
      throw new IllegalArgumentException(
          "has an entry that begins with %s: and is no key of a role: expected %s:NAME:KEY with a NAME of 1 to 64 letters, digits, '.', '_' or '-', not anonymous"
              .formatted(role.get().wire(), role.get().wire()));
    }
    var key = rest.substring(second + 1);
    if (key.isBlank()) {
      throw new IllegalArgumentException("has an empty key for %s: expected text".formatted(name));
    }
    return new ApiKey(role.get(), Optional.of(name), key);
  }

  private static byte[] keyDigest(String key) {
    if (!key.startsWith(DIGEST)) return digest(key);
    var hex = key.substring(DIGEST.length());
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException(
          "has a key that begins with sha256: and is no digest: expected sha256: and 64 hexadecimal digits");
    }
    return HexFormat.of().parseHex(hex);
  }

  static byte[] digest(String key) {
    return Digest.sha256().add(key).bytes();
  }

  Identity identity() {
    return identity;
  }

  /// What tells this key from others and does not give it away.
  String mark() {
    return mark;
  }

  /// The secret that both sides of a session know.
  byte[] secret() {
    return digest;
  }

  /// Whether others may find it by trying; not known of a digest.
  boolean isGuessable() {
    return isShort;
  }

  boolean isOf(byte[] keyDigest) {
    return MessageDigest.isEqual(digest, keyDigest);
  }
}
