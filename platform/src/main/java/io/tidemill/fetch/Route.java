package io.tidemill.fetch;

import io.tidemill.url.WebUrl;

/// Whom a connection leads to: requests of one route can share connections.
record Route(boolean isTls, String host, int port) {
  static Route to(WebUrl url) {
    return new Route(url.scheme().equals("https"), url.host(), url.connectPort());
  }

  /// The host without the brackets of an IPv6 address.
  String bareHost() {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
