package io.tidemill.http.access;

import io.tidemill.content.fingerprint.Digest;
import io.tidemill.http.Access;
import io.tidemill.http.Identity;
import io.tidemill.json.NearestName;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// One entry of `api.keys`: the holder, the role, and the SHA-256 of the key, never the key.
final class ApiKey {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  // What is left of a list in JSON.
  private static final Pattern QUOTED = Pattern.compile("^[\\[{\"']|[\\]}\"']$");
  private static final List<String> ROLES = List.of("viewer", "operator", "admin");
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

  /// Parses `KEY` or `ROLE:NAME:KEY`, where the key may be `sha256:HEX`; the exception quotes no
  /// key.
  static ApiKey parse(String entry) {
    if (entry.isBlank()) throw new IllegalArgumentException("has an empty key: expected text");
    if (QUOTED.matcher(entry).find()) {
      throw new IllegalArgumentException(
          "has an entry in quotes or brackets: expected KEY or ROLE:NAME:KEY as it is, with commas between several");
    }
    var colon = entry.indexOf(':');
    var role = colon < 0 ? Optional.<Access>empty() : Access.role(entry.substring(0, colon));
    if (role.isEmpty()) return bare(entry);
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

  // A role with a spelling mistake must not become an admin's key.
  private static ApiKey bare(String entry) {
    var parts = entry.split(":", 3);
    var meant =
        parts.length < 3
            ? Optional.<String>empty()
            : NearestName.of(parts[0].toLowerCase(Locale.ROOT), ROLES, 2);
    if (meant.isPresent()) {
      throw new IllegalArgumentException(
          "has an entry that begins with no role but is close to %s: expected %s:NAME:KEY"
              .formatted(meant.get(), meant.get()));
    }
    return new ApiKey(Access.ADMIN, Optional.empty(), entry);
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

  /// Identifies the key without revealing it.
  String mark() {
    return mark;
  }

  /// The secret that signs session cookies.
  byte[] secret() {
    return digest;
  }

  /// Whether the key is short enough to be guessed; false for a digest.
  boolean isGuessable() {
    return isShort;
  }

  boolean isOf(byte[] keyDigest) {
    return MessageDigest.isEqual(digest, keyDigest);
  }
}
