package io.tidemill.fetch.connection;

import io.tidemill.content.url.Cidr;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Says which addresses are not of the public internet: all blocks of IANA's special-purpose
/// registries, and IPv6 addresses that carry such an IPv4 address inside (F47). Networks that the
/// operator allowed are let through.
public final class AddressGuard {
  private static final List<Block> SPECIAL =
      List.of(
          new Block("0.0.0.0/8", "this network"),
          new Block("10.0.0.0/8", "private"),
          new Block("100.64.0.0/10", "shared by a carrier"),
          new Block("127.0.0.0/8", "loopback"),
          new Block("169.254.0.0/16", "link-local"),
          new Block("172.16.0.0/12", "private"),
          new Block("192.0.0.0/24", "for protocols"),
          new Block("192.0.2.0/24", "for documentation"),
          new Block("192.31.196.0/24", "for name servers of private zones"),
          new Block("192.52.193.0/24", "for multicast relays"),
          new Block("192.88.99.0/24", "for 6to4 relays"),
          new Block("192.168.0.0/16", "private"),
          new Block("192.175.48.0/24", "for name servers of private zones"),
          new Block("198.18.0.0/15", "for benchmarks"),
          new Block("198.51.100.0/24", "for documentation"),
          new Block("203.0.113.0/24", "for documentation"),
          new Block("224.0.0.0/4", "multicast"),
          new Block("240.0.0.0/4", "reserved"),
          // Not in the registries: a public address that means "my own host" inside one cloud.
          new Block("168.63.129.16/32", "a cloud's own services"),
          new Block("2001::/23", "for protocols"),
          new Block("2001:db8::/32", "for documentation"),
          new Block("2002::/16", "6to4"),
          new Block("2620:4f:8000::/48", "for name servers of private zones"),
          new Block("3fff::/20", "for documentation"));

  private static final Cidr GLOBAL_IPV6 = Cidr.parse("2000::/3");
  private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");
  private static final int LAST_FOUR = 12;

  private final List<Cidr> allowed;

  public AddressGuard(List<Cidr> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  /// Why we don't connect to the address; empty when we do.
  public Optional<String> refusal(InetAddress address) {
    return allows(address) ? Optional.empty() : special(address.getAddress());
  }

  /// Whether the operator allowed the address by name of its network.
  public boolean allows(InetAddress address) {
    for (var network : allowed) {
      if (network.contains(address)) return true;
    }
    return false;
  }

  /// Whether the operator allowed any network at all.
  boolean allowsAny() {
    return !allowed.isEmpty();
  }

  private static Optional<String> special(byte[] address) {
    if (address.length == 16) {
      // DNS64 gives such addresses to every IPv4 site: what counts is the address inside.
      if (NAT64.contains(address)) return inside(address);
      if (!GLOBAL_IPV6.contains(address)) return Optional.of("not a public address");
      if (isIsatap(address)) return inside(address);
    }
    for (var block : SPECIAL) {
      if (block.cidr.contains(address)) {
        return Optional.of("in " + block.cidr + ", which is " + block.meaning);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> inside(byte[] ipv6) {
    return special(Arrays.copyOfRange(ipv6, LAST_FOUR, ipv6.length));
  }

  // The interface part 0000:5efe or 0200:5efe means that an IPv4 address follows (RFC 5214).
  private static boolean isIsatap(byte[] ipv6) {
    return (ipv6[8] & 0xfd) == 0 && ipv6[9] == 0 && ipv6[10] == 0x5e && (ipv6[11] & 0xff) == 0xfe;
  }

  private record Block(Cidr cidr, String meaning) {
    Block(String cidr, String meaning) {
      this(Cidr.parse(cidr), meaning);
    }
  }
}
