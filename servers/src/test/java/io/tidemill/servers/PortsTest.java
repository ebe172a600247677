package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
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
  void waitsForAPortThatGetsFree() throws IOException {
    try (var taken = new ServerSocket(0, 1, Ports.LOOPBACK)) {
      assertThat(Ports.isFreeWithin(taken.getLocalPort(), Duration.ZERO)).isFalse();
      Thread.ofVirtual().start(() -> close(taken));

      assertThat(Ports.isFreeWithin(taken.getLocalPort(), Duration.ofSeconds(30))).isTrue();
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Test
  void neverHandsOutTheSameFreePortTwice() {
    assertThat(IntStream.range(0, 200).map(_ -> Ports.freeOr(0))).doesNotHaveDuplicates();
  }
}
