package io.tidemill.crawler;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.config.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrawlerConfigTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1/99", "localhost", "10.1.2.3/8"})
  void aWrongNetworkIsNamedWithItsSetting(String network) {
    assertThatThrownBy(() ->
            Settings.load(
                null,
                Map.of(),
                Map.of("crawler.allow-networks", network),
                List.of(CrawlerConfig.class)))
        .hasMessageContaining("crawler.allow-networks");
  }
}
