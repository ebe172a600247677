package io.tidemill.fetch.connection;

import java.util.Locale;

/// Why a fetch brought no answer.
public enum FetchFailure {
  /// The host has an address that we don't connect to, or the port is not one of ours.
  FORBIDDEN_ADDRESS(false),
  /// The URL, or one that a redirect led to, can't be fetched.
  BAD_URL(false),
  /// The host's name has no address, or nobody told it in time.
  DNS(true),
  /// No connection to the host.
  CONNECT(true),
  /// The host did not prove who it is.
  TLS(false),
  /// The whole fetch took too long.
  TIMEOUT(true),
  /// The body is larger than the limit.
  TOO_LARGE(false),
  /// A small body that unpacks to a huge one.
  BOMB(false),
  /// More redirects than we follow.
  TOO_MANY_REDIRECTS(false),
  /// A redirect to a URL that was already visited.
  REDIRECT_LOOP(false),
  /// The caller's [RedirectCheck] said no.
  REFUSED(false),
  /// The caller's [RedirectCheck] said: not now.
  REFUSED_FOR_NOW(true) {
    @Override
    public String label() {
      return REFUSED.label();
    }
  },
  /// The answer broke the rules of HTTP, or off in the middle.
  PROTOCOL(true),
  /// The body is not what its `Content-Encoding` says.
  DECODING(false),
  /// Too much is being fetched at once.
  BUSY(true),
  /// The fetching thread was told to stop.
  INTERRUPTED(true);

  private final boolean isTransient;

  FetchFailure(boolean isTransient) {
    this.isTransient = isTransient;
  }

  /// Whether the same fetch may go well later.
  public boolean isTransient() {
    return isTransient;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
