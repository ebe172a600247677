package io.tidemill.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FetchConfigTest {
  @Test
  void namesUsAndWhereToLearnMore() {
    var config = Fetching.config("user-agent=Otter/2.0", "contact=https://example.org/otter");

    assertThat(config.agent()).isEqualTo("Otter/2.0 (+https://example.org/otter)");
    assertThat(config.product()).isEqualTo("Otter");
    assertThat(Fetching.config("contact=").agent()).isEqualTo("Tidemill/0.1");
  }

  @Test
  void refusesWhatCantWork() {
    for (var wrong :
        new String[] {
          "user-agent=", "user-agent=a\nb", "contact=a\r\nX: y", "timeout=0s", "connect-timeout=0s",
          "max-body=0", "max-wire=2GiB", "max-head=1", "max-ratio=0", "max-redirects=-1",
          "ports=80,http", "ports=0", "ports=65536", "buffers=1MiB", "max-connections=0",
          "max-connections-per-host=0"
        }) {
      var key = "fetch." + wrong.substring(0, wrong.indexOf('='));
      assertThatThrownBy(() -> Fetching.config(wrong)).as(wrong).hasMessageContaining(key);
    }
  }
}
