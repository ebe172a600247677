package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What every local server promises, asked through a real client.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LocalServerContract {

  @TempDir static Path scratch;

  LocalServer server;

  /// A connection of a real client. A write returns when the server has acknowledged it.
  interface Client extends AutoCloseable {
    void write(String item) throws Exception;

    Set<String> read() throws Exception;

    @Override
    void close();
  }

  abstract String name();

  abstract Client connect(String address) throws Exception;

  LocalServer serverIn(Path dir) {
    return ChildMain.server(name(), dir);
  }

  abstract LocalServer serverOn(Path dir, int port);

  @BeforeAll
  void startTheServer() throws IOException {
    server = serverIn(newDir());
    server.start();
  }

  @AfterAll
  void closeTheServer() {
    server.close();
  }

  static Path newDir() throws IOException {
    return Files.createTempDirectory(scratch, "data");
  }

  @Test
  void keepsWhatItAcknowledgedAcrossARestart() throws Exception {
    try (var client = connect(server.address())) {
      client.write("before");
    }

    server.close();
    server.start();

    try (var client = connect(server.address())) {
      client.write("after");
      assertThat(client.read()).contains("before", "after");
    }
  }

  @Test
  void findsItsDataFromAnotherPortAfterAClose() throws Exception {
    var dir = newDir();
    try (var first = serverIn(dir)) {
      first.start();
      try (var client = connect(first.address())) {
        client.write("kept");
      }
    }

    try (var second = serverIn(dir)) {
      second.start();
      try (var client = connect(second.address())) {
        assertThat(client.read()).containsExactly("kept");
      }
    }
  }

  @Test
  void runsOnAFreePortWhenThePreferredOneIsTaken() throws Exception {
    int free = Ports.freeOr(server.port());

    try (var second = serverOn(newDir(), free)) {
      second.start();
      try (var client = connect(second.address())) {
        client.write("here");
        assertThat(client.read()).containsExactly("here");
      }
    }

    assertThat(free).isNotEqualTo(server.port());
  }

  @Test
  void saysInOneLineThatItsPortIsTaken() throws Exception {
    var dir = newDir();
    try (var second = serverOn(dir, server.port())) {
      assertThatThrownBy(second::start)
          .isInstanceOf(ServerException.class)
          .hasMessageContaining(name() + " on port " + server.port() + " did not start: ")
          .message()
          .hasLineCount(1);
    }

    try (var third = serverIn(dir)) {
      third.start(); // the failed one holds nothing
    }
  }

  @Test
  void listensOnLoopbackOnly() throws Exception {
    var outside = outsideAddress();
    assumeTrue(outside.isPresent(), "this machine has no other address");

    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(Ports.LOOPBACK, server.port()), 2_000);
    }
    try (var socket = new Socket()) {
      assertThatThrownBy(
              () -> socket.connect(new InetSocketAddress(outside.get(), server.port()), 2_000))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void losesNothingItAcknowledgedWhenItsJvmIsKilled() throws Exception {
    var dir = newDir();
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    try (var child = new ChildServer(name(), dir, scratch)) {
      var address = child.said("ready");
      var writer = CompletableFuture.supplyAsync(() -> writeUntilItFails(address, acknowledged));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> acknowledged.size() >= 100 || writer.isDone());
      assertThat(writer).isNotDone();

      child.kill();

      assertThat(writer).succeedsWithin(Duration.ofMinutes(1));
    }

    try (var survivor = serverIn(dir)) {
      survivor.start();
      try (var client = connect(survivor.address())) {
        assertThat(client.read()).containsAll(acknowledged);
      }
    }
  }

  @Test
  void printsNothingAndEndsInOrder() throws Exception {
    try (var child = new ChildServer(name(), newDir(), scratch)) {
      var address = child.said("ready");
      try (var client = connect(address)) {
        client.write("quietly");
      }

      assertThat(child.end()).isZero();
      assertThat(child.noise()).isEmpty();
    }
  }

  /// Returns how it failed. The one write in flight may be there or not.
  private Exception writeUntilItFails(String address, Set<String> acknowledged) {
    try (var client = connect(address)) {
      for (int i = 0; ; i++) {
        client.write("item-" + i);
        acknowledged.add("item-" + i);
      }
    } catch (Exception killed) {
      return killed;
    }
  }

  private static Optional<InetAddress> outsideAddress() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .findAny();
  }
}
