package io.tidemill.fetch.connection;

import io.tidemill.content.url.WebUrl;

/// Whom a connection leads to: requests of one route can share connections.
public record ConnectionRoute(boolean isTls, String host, int port) {
  public static ConnectionRoute to(WebUrl url) {
    return new ConnectionRoute(url.scheme().equals("https"), url.host(), url.connectPort());
  }

  /// The host without the brackets of an IPv6 address.
  public String bareHost() {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
