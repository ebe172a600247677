package io.tidemill.url;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An absolute `http` or `https` URL, parsed as a browser would.
///
/// @param scheme `http` or `https`
/// @param host lower-case ASCII: a domain in its `xn--` form, dotted IPv4, or `[IPv6]`
/// @param port as written, -1 for the scheme's own
/// @param path starts with `/`
/// @param query without its `?`; null when there is none
/// @param fragment without its `#`; null when there is none
public record WebUrl(
    String scheme,
    String host,
    int port,
    String path,
    @Nullable String query,
    @Nullable String fragment) {

  /// Reads an absolute URL; empty when it is not one, or of another scheme.
  public static Optional<WebUrl> parse(String text) {
    return read(text);
  }

  /// Reads a reference as a link on this page; empty when it leads nowhere we go.
  public Optional<WebUrl> resolve(String reference) {
    try {
      return read(URI.create(href()).resolve(reference).toString());
    } catch (IllegalArgumentException notAUrl) {
      return Optional.empty();
    }
  }

  private static Optional<WebUrl> read(String text) {
    try {
      var uri = URI.create(text.strip());
      var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (!scheme.equals("http") && !scheme.equals("https")) return Optional.empty();
      if (uri.getHost() == null) return Optional.empty();
      var path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      var host = uri.getHost().toLowerCase(Locale.ROOT);
      var own = uri.getPort() == (scheme.equals("http") ? 80 : 443) ? -1 : uri.getPort();
      return Optional.of(
          new WebUrl(scheme, host, own, path, uri.getRawQuery(), uri.getRawFragment()));
    } catch (IllegalArgumentException notAUrl) {
      return Optional.empty();
    }
  }

  /// The whole URL as text.
  public String href() {
    return origin() + pathAndQuery() + (fragment == null ? "" : "#" + fragment);
  }

  /// Scheme, host and port: `https://example.org:8443`.
  public String origin() {
    return scheme + "://" + host + (port < 0 ? "" : ":" + port);
  }

  /// What a request line carries.
  public String pathAndQuery() {
    return query == null ? path : path + "?" + query;
  }

  /// The port to connect to.
  public int connectPort() {
    if (port >= 0) return port;
    return scheme.equals("https") ? 443 : 80;
  }

  /// The same without its fragment.
  public WebUrl withoutFragment() {
    return fragment == null ? this : new WebUrl(scheme, host, port, path, query, null);
  }

  @Override
  public String toString() {
    return href();
  }
}
