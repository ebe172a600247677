package io.tidemill.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What a browser shows in place of a key: the key's mark, when it ends, and a signature that only
/// the key's SHA-256 makes.
///
/// Nothing is kept of it: it counts at every gateway that has the key, and ends with the key.
final class SessionCookie {
  static final String NAME = "tidemill-session";

  private static final String PURPOSE = "tidemill-session.";
  private static final Pattern SHAPE =
      Pattern.compile("([0-9a-f]{12})\\.([1-9][0-9]{0,11})\\.([A-Za-z0-9_-]{43})");
  // What gateways' clocks may differ by.
  private static final Duration LENIENCE = Duration.ofMinutes(5);

  /// What a cookie turns out to be.
  sealed interface Verdict {
    record Of(ApiKey key) implements Verdict {}

    /// It ended, its key is gone, or it is no cookie of ours: no sign of ill will.
    record Ended() implements Verdict {}

    /// It names a key, and was not signed with it.
    record Forged() implements Verdict {}
  }

  private final Duration life;

  SessionCookie(Duration life) {
    this.life = life;
  }

  Duration life() {
    return life;
  }

  String value(ApiKey key, Instant now) {
    var signed = key.mark() + "." + now.plus(life).getEpochSecond();
    return signed + "." + signature(key, signed);
  }

  Verdict read(String value, Collection<ApiKey> keys, Instant now) {
    var parts = SHAPE.matcher(value);
    if (!parts.matches()) return new Verdict.Ended();
    var signed = parts.group(1) + "." + parts.group(2);
    for (var key : keys) {
      if (!key.mark().equals(parts.group(1))) continue;
      if (!isSame(signature(key, signed), parts.group(3))) return new Verdict.Forged();
      return isAlive(Long.parseLong(parts.group(2)), now)
          ? new Verdict.Of(key)
          : new Verdict.Ended();
    }
    return new Verdict.Ended();
  }

  // Nor does one outlive a life that was made shorter since.
  private boolean isAlive(long expiry, Instant now) {
    return expiry > now.getEpochSecond()
        && expiry <= now.plus(life).plus(LENIENCE).getEpochSecond();
  }

  private static boolean isSame(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.US_ASCII));
  }

  private static String signature(ApiKey key, String signed) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.secret(), "HmacSHA256"));
      var bytes = mac.doFinal((PURPOSE + signed).getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HmacSHA256", impossible);
    }
  }
}
