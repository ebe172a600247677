package io.tidemill.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.config.ByteSize;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.sql.DuckConnections;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuckAnalyticsTest extends AnalyticsContract {
  @Override
  AnalyticsConfig config() {
    return new AnalyticsConfig("", ByteSize.ofMib(128), 2);
  }

  @Test
  void nothingIsMadeBeforeTheFirstUse() throws IOException {
    var file = folder.resolve("analytics.duckdb");
    assertThat(file).doesNotExist();

    try (var analytics = new Analytics(config(), folder, InstantSource.system())) {
      assertThat(file).doesNotExist();
      analytics.isKnown("anything");
      assertThat(file).exists();
    }
  }

  @Test
  void aFileOfTheVersionBeforeIsBroughtUpToDate() throws Exception {
    try (var old =
            DuckConnections.open(folder.resolve("analytics.duckdb").toString(), config(), folder);
        var statement = old.createStatement()) {
      statement.execute(
          "CREATE TABLE records (source VARCHAR NOT NULL, position BIGINT NOT NULL, stored_at TIMESTAMP NOT NULL, record JSON NOT NULL)");
      statement.execute(
          "CREATE TABLE sources (source VARCHAR NOT NULL, stored_at TIMESTAMP NOT NULL)");
      statement.execute("INSERT INTO records VALUES ('wf', 0, '2026-01-04', '{\"n\":1}')");
    }
    try (var analytics = new Analytics(config(), folder, InstantSource.system());
        var rows = analytics.records("wf")) {
      assertThat(rows.next()).isEqualTo("{\"n\":1}");
      assertThat(analytics.projects().list(10, "")).isEqualTo(List.of());
    }
  }
}
