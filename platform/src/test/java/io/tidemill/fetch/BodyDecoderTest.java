package io.tidemill.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.fetch.connection.FetchDeadline;
import io.tidemill.fetch.connection.FetchException;
import io.tidemill.fetch.connection.FetchFailure;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// F48: whatever comes, unpacking ends with bytes within the limit or with a failure.
class BodyDecoderTest {
  private static final List<String> CODECS = List.of("gzip", "deflate", "br", "zstd");
  private static final int MOST = 100_000;
  private static final int BUDGET = 256 << 20;

  private final MemoryBudget budget = new MemoryBudget(BUDGET, Duration.ofMillis(10));
  private final BufferPool scratches = new BufferPool();

  private byte[] decode(List<String> encodings, byte[] packed, boolean isCut)
      throws FetchException {
    var deadline = new FetchDeadline(System.nanoTime() + Duration.ofSeconds(30).toNanos());
    try (var share = budget.open(deadline);
        var loan = scratches.loan()) {
      var decoder = new BodyDecoder(loan, share, packed.length, isCut, MOST, 100);
      var bytes = BoundedBytes.in(packed, packed.length, share);
      bytes.wrote(packed.length);
      var decoded = decoder.decode(encodings, bytes);
      assertThat(decoded.length()).isLessThanOrEqualTo(MOST + 1);
      decoded.cut();
      return decoded.take();
    } finally {
      assertThat(budget.freeUnits()).isEqualTo(BUDGET / 1024);
    }
  }

  @Test
  void unpacksBodiesOfEverySize() throws FetchException {
    for (var codec : CODECS) {
      for (var size : List.of(1, 2, 100, 8191, 8192, 8193, 65_535, 65_536, 99_999, 100_000)) {
        var body = "abc %d ".repeat(size).substring(0, size).getBytes(UTF_8);
        assertThat(decode(List.of(codec), Packing.pack(codec, body), false))
            .as("%s %d", codec, size)
            .isEqualTo(body);
      }
    }
  }

  @Test
  void endsOnAnyDamage() {
    var random = new Random(48);
    var body = "some words, and some more of them. ".repeat(300).getBytes(UTF_8);
    for (var codec : CODECS) {
      var whole = Packing.pack(codec, body);
      for (int i = 0; i < 400; i++) {
        var damaged = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
        for (int k = random.nextInt(4); k > 0; k--) {
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        assertEnds(codec, damaged, random.nextBoolean());
      }
    }
  }

  @Test
  void endsOnNoise() {
    var random = new Random(49);
    for (var codec : CODECS) {
      for (int i = 0; i < 400; i++) {
        var noise = new byte[1 + random.nextInt(300)];
        random.nextBytes(noise);
        assertEnds(codec, noise, random.nextBoolean());
      }
    }
  }

  private void assertEnds(String codec, byte[] bytes, boolean isCut) {
    try {
      decode(List.of(codec), bytes, isCut);
    } catch (FetchException failed) {
      assertThat(failed.kind()).isEqualTo(FetchFailure.DECODING);
    }
  }

  @Test
  void readsTheNamesOfEncodingsFromOutsideToInside() throws FetchException {
    assertThat(BodyDecoder.encodings(HttpHeaders.of("content-encoding", "br, GZIP")))
        .containsExactly("gzip", "br");
    assertThat(
            BodyDecoder.encodings(
                HttpHeaders.of("Content-Encoding", "br", "Content-Encoding", "zstd")))
        .containsExactly("zstd", "br");
    assertThat(BodyDecoder.encodings(HttpHeaders.of("Content-Encoding", "identity, ,"))).isEmpty();
    assertThatThrownBy(() -> BodyDecoder.encodings(HttpHeaders.of("Content-Encoding", "none")))
        .isInstanceOf(FetchException.class);
  }
}
