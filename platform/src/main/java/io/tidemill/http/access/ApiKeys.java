package io.tidemill.http.access;

import io.tidemill.http.Identity;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Authenticates callers by key or session cookie, and blocks addresses that guess.
public final class ApiKeys {
  private static final String BEARER = "Bearer ";

  private final List<ApiKey> keys;
  private final boolean readOnly;
  private final SessionCookie sessions;
  private final FailedAttempts failures;
  private final InstantSource clock;

  /// The result of authentication.
  sealed interface Proof {
    sealed interface Known extends Proof {
      Identity who();
    }

    record Key(Identity who) implements Known {}

    /// @param renewed the `Set-Cookie` that extends it, when it is time
    record Session(Identity who, Instant endsAt, Optional<String> renewed) implements Known {}

    record Missing() implements Proof {}

    record Wrong(String why) implements Proof {}

    /// @param seconds until this address may try again
    record TooMany(long seconds) implements Proof {}
  }

  public ApiKeys(ApiConfig config, InstantSource clock) {
    this.keys = config.holders();
    this.readOnly = config.readOnly();
    this.sessions = new SessionCookie(config.session(), config.sessionLimit());
    this.failures = new FailedAttempts(clock);
    this.clock = clock;
  }

  public boolean required() {
    return !keys.isEmpty();
  }

  /// The holders of keys that are short enough to be guessed.
  public List<String> shortKeys() {
    return keys.stream().filter(ApiKey::isGuessable).map(key -> key.identity().who()).toList();
  }

  InstantSource clock() {
    return clock;
  }

  boolean readOnly() {
    return readOnly;
  }

  /// Authenticates a request; a key in a header takes precedence over a cookie.
  Proof proof(Request request) {
    if (!required()) return new Proof.Key(Identity.ANYBODY.readOnly(readOnly));
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

  private Identity identity(ApiKey key) {
    return key.identity().readOnly(readOnly);
  }

  private Proof ofKey(Request request, String key) {
    var holder = holder(key);
    if (holder.isPresent()) return new Proof.Key(identity(holder.get()));
    failures.add(request.remoteAddress());
    return new Proof.Wrong("this API key is not known");
  }

  private Proof ofCookies(Request request, List<String> cookies) {
    var now = clock.instant();
    for (var cookie : cookies) {
      switch (sessions.read(cookie, keys, now)) {
        case SessionCookie.CookieCheck.Of of -> {
          return new Proof.Session(identity(of.key()), of.expiry(), sessions.renewed(of, now));
        }
        // A forged cookie is a guess at a key: it is signed with one.
        case SessionCookie.CookieCheck.Forged() ->
            failures.addCookie(request.remoteAddress(), cookie);
        case SessionCookie.CookieCheck.Ended() -> {}
      }
    }
    return new Proof.Wrong("the session has ended: sign in again");
  }

  /// The result of signing in with a key.
  sealed interface SignIn {
    record Done(Identity who, String cookie) implements SignIn {}

    record Refused(Proof why) implements SignIn {}
  }

  SignIn signIn(Request request, String key, boolean secure) {
    var wait = failures.secondsToWait(request.remoteAddress());
    if (wait > 0) return new SignIn.Refused(new Proof.TooMany(wait));
    var holder = holder(key);
    if (holder.isEmpty()) return new SignIn.Refused(ofKey(request, key));
    return new SignIn.Done(
        identity(holder.get()), sessions.made(holder.get(), secure, clock.instant()));
  }

  /// The response to a caller that is not authenticated.
  static Response refusal(Proof proof) {
    return switch (proof) {
      case Proof.Known _ ->
          throw new IllegalArgumentException("an authenticated caller is not refused");
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

  /// Compares with every key: the time taken reveals nothing.
  private Optional<ApiKey> holder(String key) {
    var digest = ApiKey.digest(key);
    var found = Optional.<ApiKey>empty();
    for (var candidate : keys) {
      if (candidate.isOf(digest)) found = Optional.of(candidate);
    }
    return found;
  }
}
