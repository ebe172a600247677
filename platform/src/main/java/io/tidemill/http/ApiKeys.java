package io.tidemill.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Lets holders of a key in, and slows down those who guess.
final class ApiKeys {
  private static final String BEARER = "Bearer ";
  private static final int MARK_BYTES = 6;

  private final List<byte[]> digests;
  private final FailedAttempts failures;

  ApiKeys(ApiConfig config, FailedAttempts failures) {
    this.digests = config.keys().stream().map(ApiKeys::digest).toList();
    this.failures = failures;
  }

  boolean required() {
    return !digests.isEmpty();
  }

  /// The refusal, when this request may not pass.
  Optional<Response> refusal(Request request) {
    if (!required()) return Optional.empty();
    var wait = failures.secondsToWait(request.remoteAddress());
    if (wait > 0) {
      return Optional.of(
          Response.problem(429, "too many wrong API keys from this address")
              .withHeader("Retry-After", Long.toString(wait)));
    }
    var key = key(request);
    if (key.isEmpty()) return Optional.of(unauthorized("this needs an API key"));
    if (isKnown(key.get())) return Optional.empty();
    failures.add(request.remoteAddress());
    return Optional.of(unauthorized("this API key is not known"));
  }

  /// A request that may pass, with a mark of the key that lets it.
  Request marked(Request request) {
    if (!required()) return request;
    return key(request)
        .map(key -> request.by(HexFormat.of().formatHex(digest(key), 0, MARK_BYTES)))
        .orElse(request);
  }

  private static Response unauthorized(String detail) {
    return Response.problem(401, detail).withHeader("WWW-Authenticate", "Bearer");
  }

  private static Optional<String> key(Request request) {
    return request
        .header("Authorization")
        .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(value -> value.substring(BEARER.length()).strip())
        .or(() -> request.header("X-Api-Key"));
  }

  /// Looks at every key, whichever one fits: the time taken tells nothing.
  private boolean isKnown(String key) {
    var digest = digest(key);
    var known = false;
    for (var candidate : digests) known |= MessageDigest.isEqual(candidate, digest);
    return known;
  }

  private static byte[] digest(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
