package io.tidemill.fetch;

import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.connection.FetchFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What came of a fetch.
public sealed interface FetchResult {
  /// The host answered, with whatever status.
  ///
  /// @param url what was fetched last, behind all redirects
  /// @param hops the URLs that redirected, in order; empty when none did
  /// @param body unpacked
  /// @param truncated whether there was more of it than the request wanted
  /// @param wireBytes the size of the body as it was sent
  @SuppressWarnings("ArrayRecordComponent") // a copy of every page would cost; never compared
  record Answer(
      WebUrl url,
      List<WebUrl> hops,
      int status,
      HttpHeaders headers,
      byte[] body,
      boolean truncated,
      long wireBytes,
      Duration took)
      implements FetchResult {
    /// How long the host asks us to stay away, by its `Retry-After`.
    public Optional<Duration> retryAfter(InstantSource clock) {
      return headers.first("Retry-After").flatMap(text -> RetryAfter.parse(text, clock));
    }

    @Override
    public String toString() {
      return "%s %d (%d bytes)".formatted(url, status, body.length);
    }
  }

  /// There is no answer.
  ///
  /// @param url the URL that failed, which may be one behind a redirect
  /// @param reason one sentence for people
  /// @param retryAfter when to try again at the earliest, where we know
  record Failed(WebUrl url, FetchFailure kind, String reason, @Nullable Duration retryAfter)
      implements FetchResult {}
}
