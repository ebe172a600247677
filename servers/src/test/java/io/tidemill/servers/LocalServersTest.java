package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class LocalServersTest {

  private final FakeServer one = new FakeServer("one");
  private final FakeServer two = new FakeServer("two");
  private final FakeServer broken = new FakeServer("broken");

  @Test
  void startsAllSideBySideOnPlatformThreads() {
    var bothAreStarting = new CountDownLatch(2);
    one.startsWith = () -> meet(bothAreStarting);
    two.startsWith = () -> meet(bothAreStarting);

    LocalServers.startAll(List.of(one, two));

    assertThat(List.of(one, two)).allMatch(server -> server.running && !server.startedOnVirtual);
  }

  @Test
  void closesTheOthersWhenOneFails() {
    broken.startsWith =
        () -> {
          throw new IllegalStateException("broken\nin two lines", new RuntimeException("no disk"));
        };

    assertThatThrownBy(() -> LocalServers.startAll(List.of(one, broken, two)))
        .isInstanceOf(ServerException.class)
        .hasMessage("broken on port 1 did not start: no disk");

    assertThat(List.of(one, two)).allMatch(server -> !server.running && server.closed);
  }

  @Test
  void closesTheRestWhenOneFailsToClose() {
    LocalServers.startAll(List.of(one, broken, two));
    broken.failsToClose = true;

    LocalServers.closeAll(List.of(one, broken, two));

    assertThat(List.of(one, two)).allMatch(server -> server.closed);
  }

  private static void meet(CountDownLatch latch) {
    latch.countDown();
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class FakeServer implements LocalServer {
    private final String name;
    Runnable startsWith = () -> {};
    volatile boolean failsToClose;
    volatile boolean running;
    volatile boolean closed;
    volatile boolean startedOnVirtual;

    FakeServer(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void start() {
      startedOnVirtual = Thread.currentThread().isVirtual();
      startsWith.run();
      running = true;
    }

    @Override
    public int port() {
      return 1;
    }

    @Override
    public String address() {
      return name + "://127.0.0.1:1";
    }

    @Override
    public void close() {
      if (failsToClose) throw new IllegalStateException("cannot close");
      running = false;
      closed = true;
    }
  }
}
