package io.tidemill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.config.ByteSize;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnalyticsConfigTest {
  private static AnalyticsConfig config(String url) {
    return new AnalyticsConfig(url, ByteSize.ofMib(256), 2);
  }

  @ParameterizedTest
  @CsvSource({
    "'', data/analytics.duckdb",
    "jdbc:duckdb:/tmp/x.db, /tmp/x.db",
    "/var/lib/a.duckdb, /var/lib/a.duckdb",
  })
  void duckdbIsAFile(String url, String file) {
    assertThat(config(url).isPostgres()).isFalse();
    assertThat(config(url).file(Path.of("data"))).isEqualTo(Path.of(file));
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql://u:p@h:5432/d, jdbc:postgresql://h:5432/d, u, p",
    "postgres://u@h/d?ssl=true, jdbc:postgresql://h/d?ssl=true, u, ''",
    "postgresql://u:a+b%26c%40d@h/d, jdbc:postgresql://h/d, u, a+b&c@d",
    "jdbc:postgresql://h/d?user=u, jdbc:postgresql://h/d?user=u, '', ''",
  })
  void postgresqlIsWrittenAsItsOwnToolsDo(String url, String jdbc, String user, String password) {
    var config = config(url);
    assertThat(config.isPostgres()).isTrue();
    assertThat(config.jdbcUrl()).isEqualTo(jdbc);
    assertThat(config.user().orElse("")).isEqualTo(user);
    assertThat(config.password().orElse("")).isEqualTo(password);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mysql://u:secret@h/d", "jdbc:h2:mem:secret", "postgresql://u:secret@h"})
  void othersAreRefusedWithoutSayingAPassword(String url) {
    assertThatThrownBy(() -> config(url))
        .hasMessageStartingWith("analytics.url is ")
        .hasMessageEndingWith(
            ": expected a file for DuckDB, or postgresql://user:password@host:port/database")
        .message()
        .doesNotContain("secret");
  }
}
