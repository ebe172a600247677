package io.tidemill.http.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A session cookie in place of a key: the key's mark, start and end of the session, and a
/// signature with the key's SHA-256.
///
/// The server stores no sessions: a cookie is valid at every gateway that has the key, until the
/// key is removed. While it is used it is extended, up to a limit.
final class SessionCookie {
  static final String NAME = "tidemill-session";

  private static final String PURPOSE = "tidemill-session.";
  private static final Pattern SHAPE =
      Pattern.compile(
          "([0-9a-f]{12})\\.([1-9][0-9]{0,11})\\.([1-9][0-9]{0,11})(s?)\\.([A-Za-z0-9_-]{43})");
  // Allowed difference between the clocks of gateways.
  private static final Duration LENIENCE = Duration.ofMinutes(5);

  sealed interface CookieCheck {
    /// @param secure whether it was given out to a browser that came by HTTPS
    record Of(ApiKey key, Instant since, Instant expiry, boolean secure) implements CookieCheck {}

    /// Expired, or no cookie of ours: no attack.
    record Ended() implements CookieCheck {}

    /// Signed by no key that is configured now.
    record Forged() implements CookieCheck {}
  }

  private final Duration life;
  private final Duration limit;

  /// @param life of an unused cookie
  /// @param limit of a session, however much it is used
  SessionCookie(Duration life, Duration limit) {
    this.life = life;
    this.limit = limit;
  }

  /// The `Set-Cookie` that begins a session.
  ///
  /// @param secure whether browsers send it over HTTPS only
  String made(ApiKey key, boolean secure, Instant now) {
    return header(key, now, secure, now);
  }

  /// The `Set-Cookie` that ends a session in its browser.
  static String cleared(boolean secure) {
    return header("", 0, secure);
  }

  /// The `Set-Cookie` that extends a session; empty in the first half of its life, and at its
  /// limit.
  Optional<String> renewed(CookieCheck.Of session, Instant now) {
    if (Duration.between(now, session.expiry()).compareTo(life.dividedBy(2)) > 0
        || !expiry(session.since(), now).isAfter(session.expiry())) {
      return Optional.empty();
    }
    return Optional.of(header(session.key(), session.since(), session.secure(), now));
  }

  private String header(ApiKey key, Instant since, boolean secure, Instant now) {
    var expiry = expiry(since, now);
    var signed =
        "%s.%d.%d%s"
            .formatted(
                key.mark(), since.getEpochSecond(), expiry.getEpochSecond(), secure ? "s" : "");
    var seconds = expiry.getEpochSecond() - now.getEpochSecond();
    return header(signed + "." + signature(key, signed), seconds, secure);
  }

  private static String header(String value, long seconds, boolean secure) {
    return "%s=%s; HttpOnly; SameSite=Strict; Path=/; Max-Age=%d%s"
        .formatted(NAME, value, seconds, secure ? "; Secure" : "");
  }

  private Instant expiry(Instant since, Instant now) {
    var last = since.plus(limit);
    var next = now.plus(life);
    return next.isBefore(last) ? next : last;
  }

  CookieCheck read(String value, Collection<ApiKey> keys, Instant now) {
    var parts = SHAPE.matcher(value);
    if (!parts.matches()) return new CookieCheck.Ended();
    var signed = value.substring(0, parts.start(5) - 1);
    for (var key : keys) {
      if (!key.mark().equals(parts.group(1))) continue;
      if (!isSame(signature(key, signed), parts.group(5))) return new CookieCheck.Forged();
      var since = Instant.ofEpochSecond(Long.parseLong(parts.group(2)));
      var expiry = Instant.ofEpochSecond(Long.parseLong(parts.group(3)));
      return isAlive(since, expiry, now)
          ? new CookieCheck.Of(key, since, expiry, !parts.group(4).isEmpty())
          : new CookieCheck.Ended();
    }
    return new CookieCheck.Forged();
  }

  // The settings of now count, also for cookies made under longer ones.
  private boolean isAlive(Instant since, Instant expiry, Instant now) {
    return expiry.isAfter(now)
        && !expiry.isAfter(now.plus(life).plus(LENIENCE))
        && since.plus(limit).isAfter(now);
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
