package io.tidemill.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever becomes of a test's JVM, none of its children is left.
class ChildJvmIT {
  @ParameterizedTest
  @ValueSource(strings = {"CONT", "STOP"})
  void diesWithTheJvmThatStartedIt(String signal) throws Exception {
    try (var parent = new ChildJvm(SleeperMain.class, "with a child")) {
      var child = ProcessHandle.of(Long.parseLong(parent.awaitReady())).orElseThrow();
      ChildJvm.signal(child.pid(), signal);

      parent.kill();

      try {
        await().until(() -> !child.isAlive());
      } finally {
        child.destroyForcibly();
      }
    }
  }

  @Test
  void isTheProcessThatItSays() {
    try (var child = new ChildJvm(SleeperMain.class)) {
      var pid = Long.parseLong(child.awaitReady());
      assertThat(child.isAlive()).isTrue();

      child.kill();

      assertThat(ProcessHandle.of(pid)).isEmpty();
    }
  }
}
