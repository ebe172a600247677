package io.tidemill.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.servers.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectStoreIT {
  private static final String BUCKET = "crawl-results";
  @TempDir static Path folder;
  @TempDir static Path files;
  private static S3Server server;
  private static ObjectStore blobs;

  @BeforeAll
  static void start() {
    server = new S3Server(folder, 0, "key", "secret");
    server.start();
    blobs = new ObjectStore(new S3Config(server.address(), "key", "secret"));
    blobs.createBucketIfMissing(BUCKET);
  }

  @AfterAll
  static void stop() {
    blobs.close();
    server.close();
  }

  @Test
  void anObjectComesBackAsItWasStored() throws IOException {
    var bytes = new byte[3_000_000];
    new Random(1).nextBytes(bytes);

    blobs.put(BUCKET, "a b/ü.bin", bytes, "application/x-test", Map.of("compressed", "true"));

    try (var blob = blobs.open(BUCKET, "a b/ü.bin")) {
      assertThat(blob.readAllBytes()).isEqualTo(bytes);
      assertThat(blob.info().size()).isEqualTo(bytes.length);
      assertThat(blob.info().contentType()).isEqualTo("application/x-test");
      assertThat(blob.info().metadata()).containsEntry("compressed", "true");
    }
    assertThat(blobs.head(BUCKET, "a b/ü.bin"))
        .hasValueSatisfying(info -> assertThat(info.size()).isEqualTo(bytes.length));
  }

  @Test
  void theLastOneStoredIsTheOneThatIsThere() throws IOException {
    put("twice", "first");
    put("twice", "second");

    try (var blob = blobs.open(BUCKET, "twice")) {
      assertThat(blob.readAllBytes()).asString(UTF_8).isEqualTo("second");
    }
  }

  @Test
  void whoLeavesEarlyKeepsNoConnection() throws IOException {
    blobs.put(BUCKET, "large", new byte[8_000_000], "application/octet-stream", Map.of());

    for (int i = 0; i < 100; i++) { // more than there are connections
      try (var blob = blobs.open(BUCKET, "large")) {
        assertThat(blob.read()).isZero();
      }
    }
  }

  @Test
  void listsWhatBeginsAlike() {
    for (int i = 0; i < 5; i++) put("list/batch_00" + i, "x");
    put("list2", "x");

    assertThat(blobs.list(BUCKET, "list/"))
        .extracting(ObjectInfo::key)
        .hasSize(5)
        .isSorted()
        .contains("list/batch_000");
  }

  @Test
  void whatIsMissingIsToldApartFromWhatIsBroken() {
    assertThat(blobs.head(BUCKET, "nothing")).isEmpty();
    assertThatThrownBy(() -> blobs.open(BUCKET, "nothing"))
        .isInstanceOfSatisfying(
            S3Exception.class,
            missing -> {
              assertThat(missing.isMissing()).isTrue();
              assertThat(missing.isTransient()).isFalse();
            })
        .hasMessage("object crawl-results/nothing can't be loaded: NoSuchKey");
    try (var other = new ObjectStore(new S3Config(server.address(), "key", "wrong"))) {
      assertThatThrownBy(() -> other.list(BUCKET, ""))
          .isInstanceOfSatisfying(
              S3Exception.class,
              refused -> {
                assertThat(refused.isMissing()).isFalse();
                assertThat(refused.isCredentialError()).isTrue();
                assertThat(refused.isTransient()).isFalse();
              });
    }
    try (var nobody = new ObjectStore(new S3Config("http://127.0.0.1:1", "key", "secret"))) {
      assertThatThrownBy(() -> nobody.head(BUCKET, "x"))
          .isInstanceOfSatisfying(
              S3Exception.class, broken -> assertThat(broken.isTransient()).isTrue());
    }
  }

  @Test
  void aBucketMayBeMadeTwiceAndAnObjectDeletedTwice() {
    blobs.createBucketIfMissing(BUCKET);
    put("gone", "x");
    blobs.delete(BUCKET, "gone");
    blobs.delete(BUCKET, "gone");

    assertThat(blobs.head(BUCKET, "gone")).isEmpty();
  }

  @Test
  void aFileBecomesAnObject() throws IOException {
    var file = Files.createTempFile(files, "upload", ".bin");
    var bytes = new byte[20_000_000];
    new Random(2).nextBytes(bytes);
    Files.write(file, bytes);

    blobs.put(BUCKET, "from/file", file, "application/x-test", Map.of("records", "7"));

    try (var stream = blobs.open(BUCKET, "from/file")) {
      assertThat(stream.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(blobs.head(BUCKET, "from/file").orElseThrow().metadata())
        .containsEntry("records", "7");
    assertThatThrownBy(() -> blobs.put("no-such-bucket", "x", file, "text/plain", Map.of()))
        .isInstanceOfSatisfying(
            S3Exception.class, missing -> assertThat(missing.isMissing()).isTrue());
  }

  @Test
  void aPartOfOneVersionIsRead() throws IOException {
    put("part", "0123456789");
    var etag = blobs.head(BUCKET, "part").orElseThrow().etag();

    try (var part = blobs.open(BUCKET, "part", 2, 5, etag)) {
      assertThat(part.readAllBytes()).asString(UTF_8).isEqualTo("234");
    }
    try (var part = blobs.open(BUCKET, "part", 0, 1, etag)) {
      assertThat(part.readAllBytes()).asString(UTF_8).isEqualTo("0");
    }
    put("part", "abcdefghij");
    assertThatThrownBy(() -> blobs.open(BUCKET, "part", 2, 5, etag))
        .isInstanceOf(S3Exception.class);
  }

  @Test
  void nothingHappensBeforeTheFirstCall() {
    try (var unset = new ObjectStore(new S3Config("", "key", "secret"))) {
      assertThatThrownBy(() -> unset.head(BUCKET, "x")).hasMessage("s3.endpoint is not set");
    }
  }

  private static void put(String key, String text) {
    blobs.put(BUCKET, key, text.getBytes(UTF_8), "text/plain", Map.of());
  }
}
