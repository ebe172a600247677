package io.tidemill.dashboard.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.job.JobNames;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerChannelsTest {
  private final ServerChannels channels =
      new ServerChannels(new JobNames("jobs:stream", "workers"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jobs:stream",
        "jobs:dead",
        "audit",
        "job:a-1:events",
        "crawl:a-1:events",
        "workflow:wf-1:events",
        "task:any text:events"
      })
  void theseAreOurs(String stream) {
    assertThat(channels.isStream(stream)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":events",
        "job::events",
        "job:a:b:events",
        "job:a",
        "crawls:me@example.org",
        "other:a:events",
        "task:a:events:events",
        "session:x"
      })
  void theseAreNot(String key) {
    assertThat(channels.isStream(key)).isFalse();
  }
}
