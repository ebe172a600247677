package io.tidemill.processor.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.S3Server;
import io.tidemill.support.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A million records in a process with half the memory that it may have.
class MillionIT {
  @TempDir static Path folder;
  @TempDir static Path scratch;
  private static S3Server server;
  private static ObjectStore blobs;

  @BeforeAll
  static void start() {
    server = new S3Server(folder, 0, "key", "secret");
    server.start();
    blobs = new ObjectStore(new S3Config(server.address(), "key", "secret"));
  }

  @AfterAll
  static void stop() {
    blobs.close();
    server.close();
  }

  @Test
  void passThroughLittleMemory() throws Exception {
    var options = List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED");
    try (var child =
        new ChildJvm(options, MillionMain.class, server.address(), scratch.toString())) {
      assertThat(child.awaitReady())
          .isEqualTo(
              "{\"bucket\":\"records\",\"key\":\"records/million.ndjson.gz\",\"count\":1000000}");
    }

    assertParquet();
  }

  private static void assertParquet() throws Exception {
    var file = scratch.resolve("copy.parquet");
    try (var object = blobs.open("exports", "exports/million.parquet")) {
      Files.copy(object, file);
    }
    try (var duck = DriverManager.getConnection("jdbc:duckdb:");
        var query = duck.createStatement();
        var row = query.executeQuery("SELECT count(DISTINCT id), max(name) FROM '" + file + "'")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getLong(1)).isEqualTo(MillionMain.MILLION);
      assertThat(row.getString(2)).isEqualTo("record 999999");
    }
  }
}
