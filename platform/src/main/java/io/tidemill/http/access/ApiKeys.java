package io.tidemill.http.access;

import io.tidemill.http.Identity;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import java.time.Instant;
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
    /// Somebody we know.
    sealed interface Known extends Proof {
      Identity who();
    }

    record Key(Identity who) implements Known {}

    /// A cookie, which a browser sends by itself.
    ///
    /// @param renewed the `Set-Cookie` that makes it last longer, when it is time for that
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

  /// Whose keys are so short that they can be guessed.
  public List<String> shortKeys() {
    return keys.stream().filter(ApiKey::isGuessable).map(key -> key.identity().who()).toList();
  }

  InstantSource clock() {
    return clock;
  }

  boolean readOnly() {
    return readOnly;
  }

  /// Who sent this request: a key in a header counts before a cookie.
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
        // Whoever guesses a key can sign with the guess.
        case SessionCookie.CookieCheck.Forged() ->
            failures.addCookie(request.remoteAddress(), cookie);
        case SessionCookie.CookieCheck.Ended() -> {}
      }
    }
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
    return new SignIn.Done(
        identity(holder.get()), sessions.made(holder.get(), secure, clock.instant()));
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
