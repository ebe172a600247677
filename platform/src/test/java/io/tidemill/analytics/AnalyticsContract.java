package io.tidemill.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.sql.JsonRows;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What steps store for analysis, whichever database keeps it.
abstract class AnalyticsContract {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-04T01:09:27.123Z"));

  /// One that stays the same during a test.
  abstract AnalyticsConfig config();

  @TempDir Path folder;
  private Analytics analytics;

  @BeforeEach
  void open() {
    analytics = new Analytics(config(), folder, CLOCK);
  }

  @AfterEach
  void close() {
    analytics.close();
  }

  @Test
  void whatIsStoredComesBackInOrder() throws IOException {
    var rows = rows(5_000);
    assertThat(analytics.store("wf-1-0", list(rows))).isEqualTo(5_000);
    analytics.store("wf-2-0", list(List.of("{\"half\":\"\\ud800\"}", "[1]", "null")));

    assertThat(read("wf-1-0")).isEqualTo(rows);
    assertThat(read("wf-2-0")).containsExactly("{\"half\":\"\\ud800\"}", "[1]", "null");
    assertThat(read("unknown")).isEmpty();
  }

  @Test
  void storingAgainReplaces() throws IOException {
    analytics.store("wf-1-0", list(rows(100)));
    analytics.store("wf-1-0", list(rows(10)));

    assertThat(read("wf-1-0")).isEqualTo(rows(10));
  }

  @Test
  void aSourceIsKnownOnceItStoredBeItNothing() throws IOException {
    assertThat(analytics.isKnown("wf-1-0")).isFalse();

    analytics.store("wf-1-0", list(List.of()));
    analytics.store("wf-1-0", list(List.of()));

    assertThat(analytics.isKnown("wf-1-0")).isTrue();
    assertThat(analytics.isKnown("wf-1-1")).isFalse();
  }

  @Test
  void manyAtOnceNeverDouble() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Callable<Long>>();
      for (int i = 0; i < 24; i++) {
        var source = "wf-" + i % 4;
        calls.add(() -> analytics.store(source, list(rows(300))));
      }
      for (var call : threads.invokeAll(calls)) assertThat(call.get()).isEqualTo(300);
    }

    for (int i = 0; i < 4; i++) assertThat(read("wf-" + i)).isEqualTo(rows(300));
  }

  @Test
  void whatBreaksOffChangesNothing() throws IOException {
    analytics.store("wf-1-0", list(rows(10)));
    var broken = new Broken(list(rows(5_000)));

    assertThatThrownBy(() -> analytics.store("wf-1-0", broken)).hasMessage("cut off");

    assertThat(read("wf-1-0")).isEqualTo(rows(10));
  }

  @Test
  void itIsStillThereAfterARestart() throws IOException {
    analytics.store("wf-1-0", list(rows(10)));
    analytics.close();
    open();

    assertThat(read("wf-1-0")).isEqualTo(rows(10));
  }

  @Test
  void closedIsClosed() {
    analytics.close();

    assertThatThrownBy(() -> analytics.records("wf-1-0"))
        .isInstanceOf(AnalyticsException.class)
        .hasMessage("records of wf-1-0 can't be read: the database is closed");
  }

  private List<String> read(String source) throws IOException {
    try (var rows = analytics.records(source)) {
      var all = new ArrayList<String>();
      for (var row = rows.next(); row != null; row = rows.next()) all.add(row);
      return all;
    }
  }

  private static List<String> rows(int count) {
    return IntStream.range(0, count).mapToObj(n -> "{\"n\":" + n + "}").toList();
  }

  private static JsonRows list(List<String> rows) {
    return new FromList(rows.iterator());
  }

  private record FromList(Iterator<String> rows) implements JsonRows {
    @Override
    public @Nullable String next() {
      return rows.hasNext() ? rows.next() : null;
    }

    @Override
    public void close() {}
  }

  private record Broken(JsonRows rows) implements JsonRows {
    @Override
    public String next() throws IOException {
      var row = rows.next();
      if (row == null) throw new IOException("cut off");
      return row;
    }

    @Override
    public void close() {}
  }
}
