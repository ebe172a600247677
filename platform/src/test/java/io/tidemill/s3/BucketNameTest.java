package io.tidemill.s3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class BucketNameTest {
  @Test
  void refusesWhatNoStoreTakes() {
    for (var name : List.of("crawl-results", "tidemill", "acme-1.x")) {
      BucketName.check("crawler.bucket", name);
    }
    for (var wrong :
        List.of("", "ab", "a/b", "two words", ".abc", "a..b", "Acme", "acme_in", "x".repeat(64))) {
      assertThatThrownBy(() -> BucketName.check("crawler.bucket", wrong))
          .hasMessageStartingWith("crawler.bucket is '" + wrong + "': expected the name of a");
    }
  }
}
