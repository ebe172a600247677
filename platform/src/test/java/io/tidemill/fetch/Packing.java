package io.tidemill.fetch;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/// Packs bytes as hosts do.
public final class Packing {
  private Packing() {}

  public static byte[] pack(String encoding, byte[] bytes) {
    return switch (encoding) {
      case "gzip" -> through(GZIPOutputStream::new, bytes);
      case "deflate" -> through(DeflaterOutputStream::new, bytes);
      case "raw-deflate" ->
          through(out -> new DeflaterOutputStream(out, new Deflater(6, true)), bytes);
      case "br" -> through(Packing::brotli, bytes);
      case "zstd" -> through(out -> new ZstdOutputStreamNoFinalizer(out, 3), bytes);
      default -> throw new IllegalArgumentException(encoding);
    };
  }

  private static OutputStream brotli(OutputStream out) throws IOException {
    Brotli4jLoader.ensureAvailability();
    return new BrotliOutputStream(out, Encoder.Parameters.create(3));
  }

  /// That many zero bytes, never held in memory as such.
  static byte[] zeros(String encoding, int mebibytes) {
    Opener opener =
        switch (encoding) {
          case "gzip" -> GZIPOutputStream::new;
          case "br" -> Packing::brotli;
          case "zstd" -> out -> new ZstdOutputStreamNoFinalizer(out, 3);
          default -> throw new IllegalArgumentException(encoding);
        };
    var packed = new ByteArrayOutputStream();
    var mebibyte = new byte[1 << 20];
    try (var out = opener.open(packed)) {
      for (int i = 0; i < mebibytes; i++) out.write(mebibyte);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return packed.toByteArray();
  }

  private static byte[] through(Opener opener, byte[] bytes) {
    var packed = new ByteArrayOutputStream();
    try (var out = opener.open(packed)) {
      out.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return packed.toByteArray();
  }

  private interface Opener {
    OutputStream open(OutputStream out) throws IOException;
  }
}
