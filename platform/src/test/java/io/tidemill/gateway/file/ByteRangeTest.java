package io.tidemill.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
  @ParameterizedTest
  @CsvSource({
    "bytes=0-0,0,1",
    "bytes=2-4,2,5",
    "bytes=3-,3,10",
    "bytes=0-99,0,10",
    "bytes=-4,6,10",
    "bytes=-99,0,10",
    "' bytes=9-9 ',9,10"
  })
  void aPartIsFromTheFirstByteToAfterTheLast(String header, long from, long to) {
    assertThat(ByteRange.of(header, 10)).hasValue(new ByteRange(from, to));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=10-", "bytes=10-12", "bytes=-0", "bytes=999999999999999999-"})
  void whatLiesBehindTheEndHasNoBytes(String header) {
    assertThat(ByteRange.of(header, 10))
        .hasValueSatisfying(part -> assertThat(part.isEmpty()).isTrue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes=",
        "bytes=-",
        "bytes=4-2",
        "bytes=0-1,3-4",
        "lines=0-1",
        "bytes=a-b",
        "bytes=0-1x"
      })
  void anythingElseIsIgnored(String header) {
    assertThat(ByteRange.of(header, 10)).isEmpty();
  }

  @Test
  void itSaysWhichBytesTheyAre() {
    var part = new ByteRange(2, 5);

    assertThat(part.contentRange(10)).isEqualTo("bytes 2-4/10");
    assertThat(part.length()).isEqualTo(3);
  }
}
