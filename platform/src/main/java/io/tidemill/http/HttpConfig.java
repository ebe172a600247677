package io.tidemill.http;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.content.url.Cidr;
import java.time.Duration;
import java.util.List;

/// Settings of the HTTP server, read from keys `http.*`.
@Section("http")
public record HttpConfig(
    @Setting(value = "127.0.0.1", doc = "The address to listen on.") String host,
    @Setting(value = "8080", doc = "The port to listen on; 0 = any free one.") int port,
    @Setting(value = "1MiB", doc = "The largest request body; larger ones get 413.")
        ByteSize maxBody,
    @Setting(value = "30s", doc = "How long a client may take to send its headers, and its body.")
        Duration readTimeout,
    @Setting(value = "60s", doc = "How long a connection may stay open without a request.")
        Duration idleTimeout,
    @Setting(value = "4096", doc = "Connections open at once; more have to wait.")
        int maxConnections,
    @Setting(value = "", doc = "Origins of web pages that may call; empty = only our own.")
        List<String> corsOrigins,
    @Setting(
            value = "",
            doc =
                "Networks of proxies in front, such as 10.0.0.0/8, whose `X-Forwarded-For` is believed.")
        List<String> trustedProxies,
    @Setting(value = "30s", doc = "How long one write may wait for a client that does not read.")
        Duration sseStall,
    @Setting(
            value = "",
            doc =
                "The path under which a proxy shows the gateway, such as /tidemill; empty = at its root.")
        String basePath,
    @Setting(
            value = "",
            doc =
                "Where people find the gateway, such as https://ops.example.org, for links in mails, webhooks and results; empty = such links are paths without a host.")
        String publicUrl) {
  public HttpConfig {
    BasePath.check(basePath);
    PublicUrl.origin(publicUrl, new BasePath(basePath));
    corsOrigins = List.copyOf(corsOrigins);
    trustedProxies = List.copyOf(trustedProxies);
    if (host.isBlank())
      throw new IllegalArgumentException("http.host is empty: expected an address");
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("http.port is " + port + ": expected 0 to 65535");
    }
    if (maxConnections < 1) {
      throw new IllegalArgumentException(
          "http.max-connections is " + maxConnections + ": expected at least 1");
    }
    if (maxBody.bytes() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "http.max-body is " + maxBody.bytes() + ": expected less than 2GiB");
    }
    try {
      trustedProxies.forEach(Cidr::parse);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("http.trusted-proxies: " + wrong.getMessage(), wrong);
    }
    positive("read-timeout", readTimeout);
    positive("idle-timeout", idleTimeout);
    positive("sse-stall", sseStall);
  }

  /// The same on another port.
  public HttpConfig withPort(int other) {
    return new HttpConfig(
        host,
        other,
        maxBody,
        readTimeout,
        idleTimeout,
        maxConnections,
        corsOrigins,
        trustedProxies,
        sseStall,
        basePath,
        publicUrl);
  }

  private static void positive(String key, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException("http." + key + " is " + value + ": expected more than 0");
    }
  }
}
