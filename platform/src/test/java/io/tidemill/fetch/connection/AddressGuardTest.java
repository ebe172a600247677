package io.tidemill.fetch.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.longs;

import io.tidemill.content.url.Cidr;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// F47: no address that is not of the public internet gets through.
class AddressGuardTest {
  /// The registries of IANA as published, with everything that is not unicast or not global.
  private static final List<String> SPECIAL_IPV4 =
      List.of(
          "0.0.0.0/8",
          "0.0.0.0/32",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.0.0/29",
          "192.0.0.8/32",
          "192.0.0.9/32",
          "192.0.0.10/32",
          "192.0.0.170/32",
          "192.0.0.171/32",
          "192.0.2.0/24",
          "192.31.196.0/24",
          "192.52.193.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "192.175.48.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4",
          "255.255.255.255/32");

  private static final List<String> SPECIAL_IPV6 =
      List.of(
          "::1/128",
          "::/128",
          "::/96",
          "64:ff9b:1::/48",
          "100::/64",
          "100:0:0:1::/64",
          "2001::/23",
          "2001::/32",
          "2001:1::1/128",
          "2001:1::2/128",
          "2001:2::/48",
          "2001:3::/32",
          "2001:4:112::/48",
          "2001:10::/28",
          "2001:20::/28",
          "2001:30::/28",
          "2001:db8::/32",
          "2002::/16",
          "2620:4f:8000::/48",
          "3fff::/20",
          "5f00::/16",
          "fc00::/7",
          "fe80::/10",
          "fec0::/10",
          "ff00::/8");

  private static final int PER_BLOCK = 40;

  private final AddressGuard guard = new AddressGuard(List.of());

  @Test
  void letsPublicAddressesThrough() {
    for (var address :
        List.of(
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "93.184.216.34",
            "2606:2800:220:1:248:1893:25c8:1946",
            "2a00:1450:4001:80b::200e",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2003::1",
            "2400::1",
            "64:ff9b::808:808")) {
      assertThat(guard.refusal(InetAddress.ofLiteral(address))).as(address).isEmpty();
    }
  }

  @Test
  void refusesTheFirstTheLastAndAnyAddressOfEverySpecialBlock() {
    var random = new Random(47);
    for (var blocks : List.of(SPECIAL_IPV4, SPECIAL_IPV6)) {
      for (var text : blocks) {
        var block = Cidr.parse(text);
        for (int i = 0; i < PER_BLOCK; i++) {
          var address =
              inside(block, i == 0 ? new AllBits(0) : i == 1 ? new AllBits(1) : random::nextInt);
          assertThat(guard.refusal(address)).as("%s of %s", address, text).isPresent();
        }
      }
    }
  }

  @Test
  void refusesWhatHidesInsideIpv6() {
    for (var hidden :
        List.of("127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "0.0.0.0")) {
      var ipv4 = InetAddress.ofLiteral(hidden).getAddress();
      var hex = "%02x%02x:%02x%02x".formatted(ipv4[0], ipv4[1], ipv4[2], ipv4[3]);
      for (var form :
          List.of(
              "::ffff:" + hidden, // v4-mapped
              "::" + hex, // v4-compatible
              "::ffff:0:" + hex, // SIIT
              "64:ff9b::" + hex, // NAT64
              "64:ff9b:1::" + hex, // NAT64, local
              "2002:" + hex + "::1", // 6to4
              "2001:0:" + hex + "::1", // Teredo, server
              "2a00:1450::5efe:" + hex, // ISATAP
              "2a00:1450::200:5efe:" + hex)) {
        assertThat(guard.refusal(InetAddress.ofLiteral(form))).as(form).isPresent();
      }
    }
  }

  @Test
  void refusesTheOwnServicesOfClouds() {
    for (var address :
        List.of(
            "169.254.169.254",
            "169.254.170.2",
            "100.100.100.200",
            "192.0.0.192",
            "168.63.129.16",
            "fd00:ec2::254",
            "fe80::a9fe:a9fe")) {
      assertThat(guard.refusal(InetAddress.ofLiteral(address))).as(address).isPresent();
    }
  }

  @Test
  void letsNoIpv4AddressThroughThatTheJdkCallsSpecial() {
    qt().withExamples(20_000)
        .forAll(integers().all())
        .check(bits -> isSafe(ByteBuffer.allocate(4).putInt(bits).array()));
  }

  @Test
  void letsNoIpv6AddressThroughThatTheJdkCallsSpecial() {
    qt().withExamples(20_000)
        .forAll(longs().all(), longs().all())
        .check((high, low) -> isSafe(ByteBuffer.allocate(16).putLong(high).putLong(low).array()));
  }

  @Test
  void judgesAMappedAddressLikeTheOneInside() {
    qt().withExamples(20_000)
        .forAll(integers().all())
        .check(bits -> {
          var plain = address(ByteBuffer.allocate(4).putInt(bits).array());
          var nat64 = ByteBuffer.allocate(16).putLong(0x0064ff9b00000000L).putInt(0);
          var wrapped = address(nat64.putInt(bits).array());
          return guard.refusal(plain).equals(guard.refusal(wrapped));
        });
  }

  private boolean isSafe(byte[] bytes) {
    var address = address(bytes);
    var isSpecial =
        address.isAnyLocalAddress()
            || address.isLoopbackAddress()
            || address.isLinkLocalAddress()
            || address.isSiteLocalAddress()
            || address.isMulticastAddress();
    return !isSpecial || guard.refusal(address).isPresent();
  }

  @Test
  void letsThroughWhatTheOperatorAllowed() {
    var allowing = new AddressGuard(List.of(Cidr.parse("10.1.0.0/16"), Cidr.parse("fd00::/8")));

    assertThat(allowing.refusal(InetAddress.ofLiteral("10.1.2.3"))).isEmpty();
    assertThat(allowing.refusal(InetAddress.ofLiteral("fd12::1"))).isEmpty();
    assertThat(allowing.refusal(InetAddress.ofLiteral("10.2.0.1"))).isPresent();
    assertThat(allowing.refusal(InetAddress.ofLiteral("127.0.0.1"))).isPresent();
  }

  @Test
  void saysWhy() {
    assertThat(guard.refusal(InetAddress.ofLiteral("192.168.1.1")))
        .contains("in 192.168.0.0/16, which is private");
  }

  private interface Bits {
    int next();
  }

  private record AllBits(int bit) implements Bits {
    @Override
    public int next() {
      return -bit;
    }
  }

  private static InetAddress inside(Cidr block, Bits bits) {
    var base = block.base().getAddress();
    var length = base.length * 8;
    var noise = new byte[base.length];
    for (int i = 0; i < noise.length; i++) noise[i] = (byte) bits.next();
    var mask = BigInteger.ONE.shiftLeft(length - block.prefix()).subtract(BigInteger.ONE);
    var value = new BigInteger(1, base).or(new BigInteger(1, noise).and(mask)).toByteArray();
    var whole = new byte[base.length];
    for (int i = 0; i < Math.min(value.length, whole.length); i++) {
      whole[whole.length - 1 - i] = value[value.length - 1 - i];
    }
    return address(whole);
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
