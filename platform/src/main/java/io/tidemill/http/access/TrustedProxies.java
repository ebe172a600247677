package io.tidemill.http.access;

import io.tidemill.content.url.Cidr;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The client's address: `X-Forwarded-For` counts only as far as trusted proxies wrote it.
public final class TrustedProxies {
  private final List<Cidr> ours;

  public TrustedProxies(List<String> networks) {
    ours = networks.stream().map(Cidr::parse).toList();
  }

  /// @param forwarded the values of `X-Forwarded-For`, the nearest last
  public String client(InetAddress peer, Supplier<List<String>> forwarded) {
    if (!isOurs(peer)) return peer.getHostAddress();
    var from = peer;
    for (var hop : forwarded.get().reversed()) {
      var before = address(hop.strip());
      if (before == null) break;
      from = before;
      if (!isOurs(from)) break;
    }
    return from.getHostAddress();
  }

  private boolean isOurs(InetAddress address) {
    return ours.stream().anyMatch(network -> network.contains(address));
  }

  // Some proxies append the port.
  private static @Nullable InetAddress address(String text) {
    var end = text.startsWith("[") ? text.indexOf(']') : -1;
    var port = text.indexOf(':');
    var plain =
        end > 0
            ? text.substring(1, end)
            : port > 0 && port == text.lastIndexOf(':') ? text.substring(0, port) : text;
    try {
      return InetAddress.ofLiteral(plain);
    } catch (IllegalArgumentException unknown) {
      return null;
    }
  }
}
