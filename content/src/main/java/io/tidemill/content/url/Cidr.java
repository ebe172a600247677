package io.tidemill.content.url;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// A block of addresses, written `10.0.0.0/8` or `fd00::/8`; a bare address is a block of one.
///
/// @param base the first address of the block
/// @param prefix how many leading bits all addresses of the block share
public record Cidr(InetAddress base, int prefix) {
  public Cidr {
    var bits = base.getAddress().length * 8;
    if (prefix < 0 || prefix > bits) {
      throw new IllegalArgumentException(
          "the prefix of %s/%d is not from 0 to %d".formatted(base.getHostAddress(), prefix, bits));
    }
  }

  /// Reads a block; never asks DNS.
  ///
  /// @throws IllegalArgumentException that says what is wrong with the text
  public static Cidr parse(String text) {
    var written = text.strip();
    var slash = written.indexOf('/');
    var base = address(written, slash < 0 ? written : written.substring(0, slash));
    var bits = base.getAddress().length * 8;
    var cidr = new Cidr(base, slash < 0 ? bits : prefix(written, written.substring(slash + 1)));
    var first = cidr.first();
    if (!first.equals(base)) {
      throw new IllegalArgumentException(
          "'%s' is not a network: its first address is %s/%d"
              .formatted(written, first.getHostAddress(), cidr.prefix));
    }
    return cidr;
  }

  private static InetAddress address(String whole, String part) {
    // Shorthands such as 10.1 mean different things to different people.
    var isPlain = part.contains(":") ? !part.contains("%") : part.matches("\\d+(\\.\\d+){3}");
    if (!isPlain) throw notACidr(whole);
    try {
      return InetAddress.ofLiteral(part);
    } catch (IllegalArgumentException _) {
      throw notACidr(whole);
    }
  }

  private static int prefix(String whole, String part) {
    if (!part.matches("\\d{1,3}")) throw notACidr(whole);
    return Integer.parseInt(part);
  }

  private static IllegalArgumentException notACidr(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is not a network such as 10.0.0.0/8 or fd00::/8");
  }

  /// Whether the block holds the address; IPv4 and IPv6 blocks hold nothing of each other.
  public boolean contains(InetAddress address) {
    return contains(address.getAddress());
  }

  public boolean contains(byte[] other) {
    var own = base.getAddress();
    if (own.length != other.length) return false;
    var whole = prefix / 8;
    for (int i = 0; i < whole; i++) {
      if (own[i] != other[i]) return false;
    }
    var rest = prefix % 8;
    return rest == 0 || ((own[whole] ^ other[whole]) & 0xff) >>> (8 - rest) == 0;
  }

  private InetAddress first() {
    var bytes = base.getAddress();
    for (int bit = prefix; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] &= (byte) ~(0x80 >>> (bit % 8));
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public String toString() {
    return base.getHostAddress() + "/" + prefix;
  }
}
