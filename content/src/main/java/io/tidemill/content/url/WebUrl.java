package io.tidemill.content.url;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An absolute `http` or `https` URL, parsed as a browser would (WHATWG URL).
///
/// User names and passwords are understood and dropped: a link never logs us in.
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
    return Optional.ofNullable(UrlParser.parse(text, null));
  }

  /// Reads a reference as a link on this page; empty when it leads nowhere we go.
  public Optional<WebUrl> resolve(String reference) {
    return Optional.ofNullable(UrlParser.parse(reference, this));
  }

  /// The whole URL as text.
  public String href() {
    var out = new StringBuilder(host.length() + path.length() + 64);
    appendOrigin(out).append(path);
    if (query != null) out.append('?').append(query);
    if (fragment != null) out.append('#').append(fragment);
    return out.toString();
  }

  /// Scheme, host and port: `https://example.org:8443`.
  public String origin() {
    return appendOrigin(new StringBuilder(host.length() + 16)).toString();
  }

  private StringBuilder appendOrigin(StringBuilder out) {
    out.append(scheme).append("://").append(host);
    return port < 0 ? out : out.append(':').append(port);
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

  /// Whether the host is an IPv4 or IPv6 address.
  public boolean isIpAddress() {
    return host.startsWith("[") || IpNumbers.endsInNumber(host);
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
