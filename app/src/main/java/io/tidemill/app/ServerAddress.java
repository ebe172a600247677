package io.tidemill.app;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.regex.Pattern;

/// Where a server listens.
record ServerAddress(String host, int port) {
  private static final int CONNECT_MILLIS = 2_000;

  // Names with an underscore are no host names for URI, but are for DNS and for clients.
  private static final Pattern HOST = Pattern.compile("(\\[[^\\]]+\\]|[^:/@\\s]+)(?::(\\d{1,5}))?");

  /// @param url with a host, perhaps a port
  static ServerAddress of(String url) {
    var uri = URI.create(url);
    if (uri.getHost() == null) throw new IllegalArgumentException("there is no host in it");
    var usual = usualPort(String.valueOf(uri.getScheme()));
    return new ServerAddress(uri.getHost(), uri.getPort() > 0 ? uri.getPort() : usual);
  }

  /// @param broker of Kafka, as host:port with or without a protocol
  static ServerAddress ofBroker(String broker) {
    return ofHost(broker.replaceFirst("^[A-Za-z_]+://", ""), usualPort("kafka"));
  }

  /// @param host of PostgreSQL, as host or host:port
  static ServerAddress ofDatabase(String host) {
    return ofHost(host, usualPort("postgresql"));
  }

  private static ServerAddress ofHost(String text, int usual) {
    var parts = HOST.matcher(text);
    if (!parts.matches()) throw new IllegalArgumentException("expected host:port, not " + text);
    var port = parts.group(2);
    return new ServerAddress(parts.group(1), port == null ? usual : Integer.parseInt(port));
  }

  private static int usualPort(String scheme) {
    return switch (scheme) {
      case "redis", "rediss" -> 6379;
      case "kafka" -> 9092;
      case "amqp" -> 5672;
      case "amqps" -> 5671;
      case "postgresql" -> 5432;
      case "https" -> 443;
      default -> 80;
    };
  }

  /// Connects once.
  ///
  /// @throws IOException that says why nobody answers
  void connect() throws IOException {
    var address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) throw new IOException("unknown host " + host);
    try (var socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
    }
  }

  @Override
  public String toString() {
    return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
  }
}
