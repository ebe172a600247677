package io.tidemill.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServicesTest {
  private final List<String> journal = new ArrayList<>();

  @Test
  void startsInOrderAndStopsInReverse() {
    try (var services = new Services(List.of(service("a"), service("b"), service("c")))) {
      services.start();
    }

    assertThat(journal).containsExactly("+a", "+b", "+c", "-c", "-b", "-a");
  }

  @Test
  void stopsWhatHasStartedWhenOneFails() {
    var services =
        new Services(List.of(service("a"), service("b"), failing("c", true), service("d")));

    assertThatThrownBy(services::start).hasMessage("c does not start");

    assertThat(journal).containsExactly("+a", "+b", "-b", "-a");
  }

  @Test
  void stopsTheOthersWhenOneDoesNotStop() {
    var services = new Services(List.of(service("a"), failing("b", false), service("c")));
    services.start();

    services.close();

    assertThat(journal).containsExactly("+a", "+b", "+c", "-c", "-a");
  }

  @Test
  void stopsEachOnlyOnce() {
    var services = new Services(List.of(service("a")));
    services.start();

    services.close();
    services.close();

    assertThat(journal).containsExactly("+a", "-a");
  }

  @Test
  void hasNothingToStopBeforeItStarts() {
    new Services(List.of(service("a"))).close();

    assertThat(journal).isEmpty();
  }

  private Service service(String name) {
    return new Journaled(name, false, false);
  }

  private Service failing(String name, boolean atStart) {
    return new Journaled(name, atStart, !atStart);
  }

  private final class Journaled implements Service {
    private final String name;
    private final boolean failsToStart;
    private final boolean failsToStop;

    Journaled(String name, boolean failsToStart, boolean failsToStop) {
      this.name = name;
      this.failsToStart = failsToStart;
      this.failsToStop = failsToStop;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void start() {
      if (failsToStart) throw new IllegalStateException(name + " does not start");
      journal.add("+" + name);
    }

    @Override
    public void stop() {
      if (failsToStop) throw new IllegalStateException(name + " does not stop");
      journal.add("-" + name);
    }
  }
}
