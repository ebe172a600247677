package io.tidemill.content.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The values are those of FIPS 180 for "abc".
class DigestTest {
  @Test
  void isWhatEverybodyElseComputes() {
    assertThat(Digest.sha256().add("abc").hex())
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(Digest.sha1().add("abc").hex())
        .isEqualTo("a9993e364706816aba3e25717850c26c9cd0d89d");
  }

  @Test
  void isOfAllItsPartsInOrder() {
    assertThat(Digest.sha256().add("a").add("bc".getBytes(UTF_8)).bytes())
        .isEqualTo(Digest.sha256().add("abc").bytes());
  }

  @Test
  void canBeShort() {
    assertThat(Digest.sha256().add("abc").hex(4)).isEqualTo("ba7816bf");
  }

  @Test
  void readsTextsAsUtf8() {
    assertThat(Digest.sha1().add("é").hex())
        .isEqualTo(Digest.sha1().add(new byte[] {(byte) 0xc3, (byte) 0xa9}).hex());
  }
}
