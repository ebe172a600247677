package io.tidemill.http;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Knows the holders of keys, by the key itself or by the cookie they got for it, and slows down
/// those who guess.
public final class ApiKeys {
  private static final String BEARER = "Bearer ";

  private final List<ApiKey> keys;
  private final boolean readOnly;
  private final SessionCookie sessions;
  private final FailedAttempts failures;
  private final InstantSource clock;

  /// What a request shows of its sender.
  sealed interface Proof {
    /// @param byCookie whether a browser sent it by itself
    record Known(Identity who, boolean byCookie) implements Proof {}

    record Missing() implements Proof {}

    record Wrong(String why) implements Proof {}

    /// @param seconds until this address may try again
    record TooMany(long seconds) implements Proof {}
  }

  public ApiKeys(ApiConfig config, InstantSource clock) {
    this.keys = config.holders();
    this.readOnly = config.readOnly();
    this.sessions = new SessionCookie(config.session());
    this.failures = new FailedAttempts(clock);
    this.clock = clock;
  }

  boolean required() {
    return !keys.isEmpty();
  }

  boolean readOnly() {
    return readOnly;
  }

  /// Who sent this request: a key in a header counts before a cookie.
  Proof proof(Request request) {
    if (!required()) return new Proof.Known(Identity.ANYBODY, false);
    var wait = failures.secondsToWait(request.remoteAddress());
    if (wait > 0) return new Proof.TooMany(wait);
    var key = header(request);
    if (key.isPresent()) return ofKey(request, key.get());
    var cookies =
        request
            .header("Cookie")
            .map(header -> Cookies.values(header, SessionCookie.NAME))
            .orElse(List.of());
    return cookies.isEmpty() ? new Proof.Missing() : ofCookies(request, cookies);
  }

  private Proof ofKey(Request request, String key) {
    var holder = holder(key);
    if (holder.isPresent()) return new Proof.Known(holder.get().identity(), false);
    failures.add(request.remoteAddress());
    return new Proof.Wrong("this API key is not known");
  }

  // One that ended, or whose key is gone, is no guess: a page that is left open goes on showing it.
  private Proof ofCookies(Request request, List<String> cookies) {
    var forged = false;
    for (var cookie : cookies) {
      switch (sessions.read(cookie, keys, clock.instant())) {
        case SessionCookie.Verdict.Of(var key) -> {
          return new Proof.Known(key.identity(), true);
        }
        case SessionCookie.Verdict.Forged() -> forged = true;
        case SessionCookie.Verdict.Ended() -> {}
      }
    }
    if (forged) failures.add(request.remoteAddress());
    return new Proof.Wrong("the session has ended: sign in again");
  }

  /// A key that somebody typed in, who then becomes known by a cookie.
  sealed interface SignIn {
    record Done(Identity who, String cookie) implements SignIn {}

    record Refused(Proof why) implements SignIn {}
  }

  SignIn signIn(Request request, String key, boolean secure) {
    var wait = failures.secondsToWait(request.remoteAddress());
    if (wait > 0) return new SignIn.Refused(new Proof.TooMany(wait));
    var holder = holder(key);
    if (holder.isEmpty()) return new SignIn.Refused(ofKey(request, key));
    var value = sessions.value(holder.get(), clock.instant());
    return new SignIn.Done(
        holder.get().identity(), cookie(value, sessions.life().toSeconds(), secure));
  }

  /// The `Set-Cookie` that ends a session in its browser.
  static String noCookie(boolean secure) {
    return cookie("", 0, secure);
  }

  private static String cookie(String value, long seconds, boolean secure) {
    return "%s=%s; HttpOnly; SameSite=Strict; Path=/; Max-Age=%d%s"
        .formatted(SessionCookie.NAME, value, seconds, secure ? "; Secure" : "");
  }

  /// The refusal of somebody who showed no good proof.
  static Response refusal(Proof proof) {
    return switch (proof) {
      case Proof.Known _ -> throw new IllegalArgumentException("who is known is not refused");
      case Proof.Missing() -> unauthorized("this needs an API key");
      case Proof.Wrong(var why) -> unauthorized(why);
      case Proof.TooMany(var seconds) ->
          Response.problem(429, "too many wrong API keys from this address")
              .withHeader("Retry-After", Long.toString(seconds));
    };
  }

  private static Response unauthorized(String detail) {
    return Response.problem(401, detail).withHeader("WWW-Authenticate", "Bearer");
  }

  private static Optional<String> header(Request request) {
    return request
        .header("Authorization")
        .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(value -> value.substring(BEARER.length()).strip())
        .or(() -> request.header("X-Api-Key"));
  }

  /// Looks at every key, whichever one fits: the time taken tells nothing.
  private Optional<ApiKey> holder(String key) {
    var digest = ApiKey.digest(key);
    var found = Optional.<ApiKey>empty();
    for (var candidate : keys) {
      if (candidate.isOf(digest)) found = Optional.of(candidate);
    }
    return found;
  }
}
