package io.tidemill.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

class ResumingStreamTest {
  private final byte[] object = new byte[100_000];
  private final List<String> opened = new ArrayList<>();
  private int cutAfter = Integer.MAX_VALUE;
  private boolean endsQuietly;

  @BeforeEach
  void fill() {
    new Random(3).nextBytes(object);
  }

  @Test
  void goesOnWhereTheConnectionBroke() throws IOException {
    cutAfter = 30_000;

    try (var stream = stream()) {
      assertThat(stream.readAllBytes()).isEqualTo(object);
    }

    assertThat(opened).containsExactly("0 ", "30000 \"v1\"", "60000 \"v1\"", "90000 \"v1\"");
  }

  @Test
  void anEndThatComesTooEarlyIsNoEnd() throws IOException {
    cutAfter = 60_000;
    endsQuietly = true;

    try (var stream = stream()) {
      assertThat(stream.readAllBytes()).isEqualTo(object);
    }
  }

  @Test
  void givesUpWhenNothingComesAnyMore() throws IOException {
    cutAfter = 0;

    try (var stream = stream()) {
      assertThatThrownBy(stream::readAllBytes)
          .isInstanceOfSatisfying(
              S3Exception.class, lost -> assertThat(lost.isTransient()).isTrue())
          .hasMessage("object a/b can't be loaded: reset");
    }

    assertThat(opened).hasSize(4);
  }

  private InputStream stream() {
    return new ResumingStream("b", "object a/b can't be loaded", this::open);
  }

  private ResponseInputStream<GetObjectResponse> open(long from, String version) {
    opened.add(from + " " + version);
    var left = (int) (object.length - from);
    var bytes = new ByteArrayInputStream(object, (int) from, Math.min(left, cutAfter));
    InputStream body =
        left <= cutAfter || endsQuietly ? bytes : new SequenceInputStream(bytes, new Cut());
    var head = GetObjectResponse.builder().contentLength((long) left).eTag("\"v1\"").build();
    return new ResponseInputStream<>(head, AbortableInputStream.create(body));
  }

  private static final class Cut extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("reset");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      throw new IOException("reset");
    }
  }
}
