package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PortsTest {

  @Test
  void keepsThePreferredPortWhenItIsFree() {
    int free = Ports.freeOr(0);

    assertThat(Ports.freeOr(free)).isEqualTo(free);
  }

  @Test
  void findsAnotherPortWhenThePreferredOneIsTakenOnLoopback() throws IOException {
    try (var taken = new ServerSocket(0, 1, Ports.LOOPBACK)) {
      assertThat(Ports.freeOr(taken.getLocalPort()))
          .isPositive()
          .isNotEqualTo(taken.getLocalPort());
    }
  }

  @Test
  void findsAnotherPortWhenThePreferredOneIsTakenOnAllInterfaces() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[4]))) {
      assertThat(Ports.freeOr(taken.getLocalPort()))
          .isPositive()
          .isNotEqualTo(taken.getLocalPort());
    }
  }

  @Test
  void neverHandsOutTheSameFreePortTwice() {
    assertThat(IntStream.range(0, 200).map(_ -> Ports.freeOr(0))).doesNotHaveDuplicates();
  }
}
