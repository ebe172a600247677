package io.tidemill.content.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CidrTest {
  @Test
  void holdsTheAddressesOfItsBlock() {
    var block = Cidr.parse("172.16.0.0/12");

    assertThat(block.contains(InetAddress.ofLiteral("172.16.0.0"))).isTrue();
    assertThat(block.contains(InetAddress.ofLiteral("172.31.255.255"))).isTrue();
    assertThat(block.contains(InetAddress.ofLiteral("172.32.0.0"))).isFalse();
    assertThat(block.contains(InetAddress.ofLiteral("172.15.255.255"))).isFalse();
    assertThat(block.contains(InetAddress.ofLiteral("::1"))).isFalse();
  }

  @Test
  void isABlockOfOneWithoutAPrefix() {
    assertThat(Cidr.parse(" 10.1.2.3 ")).isEqualTo(Cidr.parse("10.1.2.3/32"));
    assertThat(Cidr.parse("::1")).isEqualTo(Cidr.parse("::1/128"));
    assertThat(Cidr.parse("0.0.0.0/0").contains(InetAddress.ofLiteral("8.8.8.8"))).isTrue();
  }

  @Test
  void saysWhatIsWrongWithAText() {
    for (var text :
        new String[] {
          "",
          "/8",
          "10.0.0.0/",
          "10.0.0.0/x",
          "10.0.0.0/-1",
          "10/8",
          "10.1",
          "example.org/8",
          "localhost",
          "fe80::1%eth0/64",
          "10.0.0.0/8/8",
          "1.2.3.4.5",
          "256.0.0.0/8",
          ":::/8"
        }) {
      assertThatThrownBy(() -> Cidr.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + text + "' is not a network");
    }
    assertThatThrownBy(() -> Cidr.parse("10.0.0.0/33")).hasMessageContaining("from 0 to 32");
    assertThatThrownBy(() -> Cidr.parse("fd00::/129")).hasMessageContaining("from 0 to 128");
    assertThatThrownBy(() -> Cidr.parse("10.1.2.3/8"))
        .hasMessage("'10.1.2.3/8' is not a network: its first address is 10.0.0.0/8");
  }

  @Test
  void agreesWithArithmeticOnEveryAddress() {
    qt().forAll(integers().all(), integers().all(), integers().between(0, 32))
        .check((base, other, prefix) -> {
          var mask = prefix == 0 ? 0 : -1 << (32 - prefix);
          var cidr = new Cidr(address(base & mask), prefix);
          return cidr.contains(address(other)) == ((other & mask) == (base & mask));
        });
  }

  private static InetAddress address(int bits) {
    try {
      return InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(bits).array());
    } catch (java.net.UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
