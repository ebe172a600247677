package io.tidemill.s3;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/// Decompresses a stream that may be gzip, zstd or neither, by its first bytes.
public final class DecompressedStream {
  private static final int GZIP = 0x1f8b;
  private static final int ZSTD = 0x28b52ffd;
  private static final int BUFFER = 64 * 1024;

  private DecompressedStream() {}

  /// Reads ahead a little; closing it closes the stream.
  public static InputStream of(InputStream packed) throws IOException {
    var stream = new BufferedInputStream(packed, BUFFER);
    stream.mark(4);
    var magic = 0;
    for (var i = 0; i < 4; i++) magic = magic << 8 | Math.max(0, stream.read());
    stream.reset();
    if (magic >>> 16 == GZIP) return new GZIPInputStream(new AvailableStream(stream), BUFFER);
    return magic == ZSTD ? new ZstdInputStream(stream).setContinuous(false) : stream;
  }

  /// Reports whether bytes are left: gzip uses that to find the next member, and a network stream
  /// reports 0 at every pause.
  private static final class AvailableStream extends FilterInputStream {
    AvailableStream(BufferedInputStream stream) {
      super(stream);
    }

    @Override
    public int available() throws IOException {
      var ready = super.available();
      if (ready > 0) return ready;
      mark(1);
      var next = read();
      reset();
      return next < 0 ? 0 : 1;
    }
  }
}
