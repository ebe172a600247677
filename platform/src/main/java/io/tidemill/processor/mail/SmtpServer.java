package io.tidemill.processor.mail;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The mail server and its transport security.
///
/// @param user empty without authentication
record SmtpServer(String host, int port, Tls tls, String user, String password) {
  private static final int SUBMISSION = 587;
  private static final int RELAY = 25;
  private static final int SUBMISSIONS = 465;
  private static final String EXPECTED = ": expected smtp://[user:password@]host[:port]";

  enum Tls {
    /// When the server offers it.
    OFFERED,
    /// STARTTLS, or no mail.
    STARTTLS,
    /// From the first byte.
    DIRECT,
    NONE
  }

  /// @throws IllegalArgumentException that never repeats the value: it may hold a password
  static SmtpServer parse(String url) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException _) {
      // The cause would repeat the value.
      throw new IllegalArgumentException("smtp.url is not a URL" + EXPECTED);
    }
    var isDirect = "smtps".equals(uri.getScheme());
    var isPlain = "smtp".equals(uri.getScheme());
    if (uri.getHost() == null || !(isDirect || isPlain) || !hasNoPath(uri)) {
      throw new IllegalArgumentException("smtp.url is not an SMTP URL" + EXPECTED);
    }
    var credentials = (uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo()).split(":", 2);
    var user = decoded(credentials[0]);
    var password = credentials.length < 2 ? "" : decoded(credentials[1]);
    var tls = isDirect ? direct(uri) : tls(uri.getRawQuery(), !user.isEmpty());
    return new SmtpServer(uri.getHost(), port(uri, isDirect, !user.isEmpty()), tls, user, password);
  }

  private static boolean hasNoPath(URI uri) {
    var path = uri.getRawPath();
    return path == null || path.isEmpty() || path.equals("/");
  }

  private static int port(URI uri, boolean isDirect, boolean hasUser) {
    if (uri.getPort() > 0) return uri.getPort();
    if (isDirect) return SUBMISSIONS;
    return hasUser ? SUBMISSION : RELAY;
  }

  private static Tls direct(URI uri) {
    if (uri.getRawQuery() == null) return Tls.DIRECT;
    throw new IllegalArgumentException("smtp.url has a query: smtps:// takes none");
  }

  // A password is never sent in the clear unless `tls=none` is set.
  private static Tls tls(@Nullable String query, boolean hasUser) {
    if (query == null || query.isEmpty()) return hasUser ? Tls.STARTTLS : Tls.OFFERED;
    return switch (query) {
      case "tls=starttls" -> Tls.STARTTLS;
      case "tls=none" -> Tls.NONE;
      default ->
          throw new IllegalArgumentException(
              "smtp.url has an unknown query: expected tls=starttls or tls=none");
    };
  }

  private static String decoded(String text) {
    // In the user part of a URL a plus is a plus.
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
