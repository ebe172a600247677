package io.tidemill.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// HTTP/1.0 requests and the responses to them, cut into pieces anywhere.
class Http10Test {
  private static final String REQUEST =
      "GET /a HTTP/1.0\r\nX: y\r\nConnection: keep-alive\r\n\r\nbody";
  private static final String CHUNKS = "a\r\n0123456789\r\n2\r\n\r\n\r\n0\r\n\r\n";
  private static final String RESPONSE =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n" + CHUNKS;

  private final Random random = new Random(16);

  @Test
  void makesAnHttp11RequestOfItHoweverItIsCut() {
    for (var i = 0; i < 2_000; i++) {
      assertThat(read(REQUEST))
          .startsWith("GET /a HTTP/1.1\r\nX: y\r\nHost: 127.0.0.1:1\r\nConnection: close\r\n\r\n");
    }
  }

  @Test
  void leavesEverythingElseAsItCame() {
    assertThat(REQUEST.replace("1.0", "1.1")).startsWith(read(REQUEST.replace("1.0", "1.1")));
    for (var i = 0; i < 5_000; i++) {
      var bytes = new byte[random.nextInt(1, 60)];
      for (var at = 0; at < bytes.length; at++)
        bytes[at] = (byte) " /HTP1.0\r\n".charAt(random.nextInt(10));
      var text = new String(bytes, ISO_8859_1);
      if (!text.contains(" HTTP/1.0\r\n")) assertThat(text).startsWith(read(text));
    }
  }

  private String read(String text) {
    var pieces = pieces(text);
    return new String(
        new Http10Head("127.0.0.1:1").read(() -> Optional.ofNullable(pieces.poll())), ISO_8859_1);
  }

  @Test
  void takesChunksOutHoweverTheyAreCut() {
    for (var i = 0; i < 2_000; i++) {
      var remover = new ChunkRemover();
      var out = new StringBuilder();
      pieces(RESPONSE).forEach(piece -> out.append(new String(remover.convert(piece), ISO_8859_1)));
      assertThat(out).hasToString("HTTP/1.1 200 OK\r\nX: y\r\n\r\n0123456789\r\n");
    }
  }

  @Test
  void leavesAResponseWithALengthAsItIs() {
    var response = RESPONSE.replace("Transfer-Encoding: chunked", "Content-Length: 40");

    assertThat(new ChunkRemover().convert(response.getBytes(ISO_8859_1)))
        .asString(ISO_8859_1)
        .isEqualTo(response);
  }

  private ArrayDeque<byte[]> pieces(String text) {
    var pieces = new ArrayDeque<byte[]>();
    var bytes = text.getBytes(ISO_8859_1);
    for (var at = 0; at < bytes.length; ) {
      var end = Math.min(bytes.length, at + random.nextInt(1, 40));
      pieces.add(Arrays.copyOfRange(bytes, at, end));
      at = end;
    }
    return pieces;
  }
}
