package io.tidemill.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.strings;

import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectAddressTest {
  @Test
  void readsBucketAndKey() {
    assertThat(ObjectAddress.parse("s3://crawl-results/web/a b/ü.json"))
        .isEqualTo(new ObjectAddress("crawl-results", "web/a b/ü.json"))
        .hasToString("s3://crawl-results/web/a b/ü.json");
    assertThat(ObjectAddress.parse("s3://abc/..a/..."))
        .isEqualTo(new ObjectAddress("abc", "..a/..."));
  }

  @Test
  void refusesWhatLeavesItsBucket() { // F53
    var hostile =
        List.of(
            "",
            "s3://",
            "s3://bucket",
            "s3://bucket/",
            "s3:///etc/passwd",
            "s3://bucket/../other/key",
            "s3://bucket/a/../../etc/passwd",
            "s3://bucket/a/..",
            "s3://bucket/./a",
            "s3://bucket//a",
            "s3://bucket/a//b",
            "s3://bucket/a\\..\\b",
            "s3://bucket/%2e%2e/a",
            "s3://bucket/a%2Fb",
            "s3://bucket/a%5cb",
            "s3://bucket/a\u0000b",
            "s3://bucket/a\nb",
            "s3://bucket/\ud800",
            "s3://../bucket/a",
            "s3://BUCKET/a",
            "s3://a..b/c",
            "s3://.bucket/a",
            "s3://user@host/a",
            "s3://bucket/" + "x".repeat(1025),
            "file:///etc/passwd",
            "http://169.254.169.254/latest",
            "bucket/key",
            "/etc/passwd",
            "S3://bucket/key");
    for (var text : hostile) {
      assertThatThrownBy(() -> ObjectAddress.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("not the address of an object: ");
    }
  }

  @Test
  void whateverIsReadStaysInItsBucket() {
    var paths = strings().betweenCodePoints('%', '\\').ofLengthBetween(0, 12);
    qt().withExamples(5_000)
        .forAll(paths)
        .checkAssert(path -> {
          try {
            var address = ObjectAddress.parse("s3://bucket/" + path);
            var resolved = java.nio.file.Path.of("/root/bucket").resolve(address.key()).normalize();
            assertThat(resolved.toString()).isEqualTo("/root/bucket/" + path);
          } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageStartingWith("not the address");
          }
        });
  }
}
