package io.tidemill.fetch;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Settings of everything that fetches from the web, read from keys `fetch.*`.
@Section("fetch")
public record FetchConfig(
    @Setting(
            value = "Tidemill/0.1",
            doc = "How we name ourselves to sites: a product and its version.")
        String userAgent,
    @Setting(
            value = "https://tidemill.invalid/bot",
            doc = "Where a site's owner learns about us; sent behind the user agent.")
        String contact,
    @Setting(value = "10s", doc = "How long one connection may take to open.")
        Duration connectTimeout,
    @Setting(
            value = "30s",
            doc = "How long one fetch may take as a whole, with all redirects and the body.")
        Duration timeout,
    @Setting(value = "10MiB", doc = "The most bytes of one answer that are read, as sent.")
        ByteSize maxWire,
    @Setting(value = "10MiB", doc = "The largest body, unpacked.") ByteSize maxBody,
    @Setting(value = "64KiB", doc = "The most bytes of one answer's header fields.")
        ByteSize maxHead,
    @Setting(
            value = "100",
            doc = "How many times its sent size a body beyond 1 MiB may have when unpacked.")
        int maxRatio,
    @Setting(value = "5", doc = "Redirects that one fetch follows.") int maxRedirects,
    @Setting(
            value = "80,443",
            doc = "Ports that we connect to; in networks that are allowed by name, any.")
        List<String> ports,
    @Setting(value = "256MiB", doc = "The most bytes of bodies being read at once.")
        ByteSize buffers,
    @Setting(value = "5s", doc = "How long a fetch waits for its part of the buffers.")
        Duration bufferWait,
    @Setting(value = "512", doc = "Connections open at once.") int maxConnections,
    @Setting(value = "16", doc = "Connections open to one host at once.") int maxConnectionsPerHost,
    @Setting(value = "15s", doc = "How long an unused connection is kept for the next fetch.")
        Duration keepAlive) {
  private static final long LARGEST = 1L << 30;

  public FetchConfig {
    ports = List.copyOf(ports);
    visible("fetch.user-agent", userAgent);
    visible("fetch.contact", contact);
    if (userAgent.isBlank()) throw new IllegalArgumentException("fetch.user-agent is empty");
    positive("fetch.connect-timeout", connectTimeout);
    positive("fetch.timeout", timeout);
    size("fetch.max-wire", maxWire);
    size("fetch.max-body", maxBody);
    size("fetch.max-head", maxHead);
    atLeast("fetch.max-ratio", maxRatio, 1);
    atLeast("fetch.max-redirects", maxRedirects, 0);
    atLeast("fetch.max-connections", maxConnections, 1);
    atLeast("fetch.max-connections-per-host", maxConnectionsPerHost, 1);
    ports.forEach(FetchConfig::port);
    // Less would leave a body that is within the limits waiting for ever.
    var least = 3 * maxBody.bytes() + maxWire.bytes() + BodyDecoder.MOST_MEMORY;
    if (buffers.bytes() < least) {
      throw new IllegalArgumentException(
          "fetch.buffers is %d: expected at least %d, enough for one fetch of the largest kind"
              .formatted(buffers.bytes(), least));
    }
  }

  private static void visible(String key, String value) {
    if (!HeaderText.isVisible(value)) {
      throw new IllegalArgumentException(key + " has characters that a header can't carry");
    }
  }

  private static void positive(String key, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(key + " is " + value + ": expected more than 0");
    }
  }

  private static void size(String key, ByteSize value) {
    if (value.bytes() < 1024 || value.bytes() > LARGEST) {
      throw new IllegalArgumentException(
          key + " is " + value.bytes() + ": expected from 1 KiB to 1 GiB");
    }
  }

  private static void atLeast(String key, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " is " + value + ": expected at least " + least);
    }
  }

  private static int port(String text) {
    if (text.matches("\\d{1,5}")) {
      var port = Integer.parseInt(text);
      if (port >= 1 && port <= 65_535) return port;
    }
    throw new IllegalArgumentException("fetch.ports has '" + text + "': expected 1 to 65535");
  }

  Set<Integer> portNumbers() {
    return ports.stream().map(FetchConfig::port).collect(Collectors.toUnmodifiableSet());
  }

  /// The `User-Agent` field: who we are, and where to learn more.
  public String agent() {
    return contact.isBlank() ? userAgent : userAgent + " (+" + contact + ")";
  }

  /// The name that a `robots.txt` calls us by: the product without its version.
  public String product() {
    var end = userAgent.indexOf('/');
    return end < 0 ? userAgent : userAgent.substring(0, end);
  }
}
