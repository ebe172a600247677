package io.tidemill.fetch;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.tidemill.fetch.connection.FetchException;
import io.tidemill.fetch.connection.FetchFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Unpacks a body by its `Content-Encoding`, within limits at every step (F48).
final class BodyDecoder {
  /// What a decoder may need besides its result: the window of brotli, the largest.
  static final long MOST_MEMORY = 16 << 20;

  /// RFC 9659: a zstd body must not need a window of more than 8 MiB.
  private static final int ZSTD_WINDOW_LOG = 23;

  private static final long RATIO_FLOOR = 1 << 20;
  private static final int MOST_ENCODINGS = 2;
  private static final int LARGEST_FIRST_GUESS = 256 * 1024;

  private final BufferPool.Loan scratch;
  private final MemoryBudget.Share share;
  private final boolean isCut;
  private final long limit;
  private final boolean isRatioLimit;

  /// @param isCut whether the end of the body is missing because we did not want it
  /// @param most the largest result
  /// @param maxRatio how many times its wire size a body may have, once it is beyond 1 MiB
  BodyDecoder(
      BufferPool.Loan scratch,
      MemoryBudget.Share share,
      long wireBytes,
      boolean isCut,
      long most,
      int maxRatio) {
    this.scratch = scratch;
    this.share = share;
    this.isCut = isCut;
    var byRatio = Math.max(RATIO_FLOOR, wireBytes * maxRatio);
    limit = Math.min(most, byRatio);
    isRatioLimit = byRatio < most;
  }

  /// The encodings of a body, the outermost first; empty when it is plain.
  ///
  /// @throws FetchException for one that we don't know, or for too many of them
  static List<String> encodings(HttpHeaders headers) throws FetchException {
    var found = new ArrayList<String>(1);
    for (var field : headers.all("Content-Encoding")) {
      for (var name : field.split(",", -1)) {
        var encoding = name.strip().toLowerCase(Locale.ROOT);
        if (!encoding.isEmpty() && !encoding.equals("identity")) found.addFirst(known(encoding));
      }
    }
    if (found.size() > MOST_ENCODINGS) throw broken("packed more than twice");
    return found;
  }

  private static String known(String encoding) throws FetchException {
    return switch (encoding) {
      case "gzip", "x-gzip" -> "gzip";
      case "deflate", "br", "zstd" -> encoding;
      default -> throw broken("packed in a way that we don't know");
    };
  }

  /// Undoes the encodings one after the other.
  BoundedBytes decode(List<String> encodings, BoundedBytes packed) throws FetchException {
    var bytes = packed;
    for (var encoding : encodings) {
      // Some hosts name an encoding for a body that they do not send.
      if (bytes.length() > 0) bytes = decode(encoding, bytes);
    }
    return bytes;
  }

  private BoundedBytes decode(String encoding, BoundedBytes packed) throws FetchException {
    var out = BoundedBytes.ofCapacity(firstGuess(encoding, packed), limit, share);
    try {
      switch (encoding) {
        case "gzip" -> new GzipDecoder(scratch.inflater(), packed, isCut).unpack(out);
        case "deflate" -> inflate(packed, out);
        case "br" -> brotli(packed, out);
        default -> zstd(packed, out);
      }
    } catch (DataFormatException | IOException | RuntimeException damaged) {
      throw broken("not what its Content-Encoding says");
    } catch (LinkageError missing) {
      throw broken("packed in a way that this machine can't unpack");
    }
    if (out.isOver() && isRatioLimit) {
      throw new FetchException(FetchFailure.BOMB, "the body unpacks to a multiple of its size");
    }
    return out;
  }

  private int firstGuess(String encoding, BoundedBytes packed) {
    var declared = encoding.equals("gzip") ? GzipDecoder.declaredSize(packed) : 0;
    var guess = declared > 0 && declared <= LARGEST_FIRST_GUESS ? declared : packed.length() * 4L;
    return (int) Math.clamp(guess, 1, Math.min(limit + 1, LARGEST_FIRST_GUESS));
  }

  private void inflate(BoundedBytes packed, BoundedBytes out)
      throws DataFormatException, FetchException {
    // The standard says zlib, but some hosts leave its header out.
    var inflater = new Inflater(!GzipDecoder.hasZlibHeader(packed));
    try {
      inflater.setInput(packed.array(), 0, packed.length());
      GzipDecoder.inflate(inflater, out, isCut);
    } finally {
      inflater.end();
    }
  }

  private void brotli(BoundedBytes packed, BoundedBytes out) throws IOException, FetchException {
    Brotli4jLoader.ensureAvailability();
    share.take(MOST_MEMORY);
    try (var stream = new BrotliInputStream(input(packed))) {
      // Else the last megabytes before the cut stay inside.
      if (isCut) stream.enableEagerOutput();
      copy(stream, out);
    } finally {
      share.give(MOST_MEMORY);
    }
  }

  private void zstd(BoundedBytes packed, BoundedBytes out) throws IOException, FetchException {
    share.take(1L << ZSTD_WINDOW_LOG);
    try (var stream = new ZstdInputStreamNoFinalizer(input(packed), RecyclingBufferPool.INSTANCE)) {
      stream.setLongMax(ZSTD_WINDOW_LOG);
      stream.setContinuous(isCut);
      copy(stream, out);
    } finally {
      share.give(1L << ZSTD_WINDOW_LOG);
    }
  }

  private static InputStream input(BoundedBytes packed) {
    return new ByteArrayInputStream(packed.array(), 0, packed.length());
  }

  private void copy(InputStream stream, BoundedBytes out) throws IOException, FetchException {
    try {
      while (!out.isOver() && out.readFrom(stream)) {}
    } catch (IOException damaged) {
      // We cut it ourselves: what came before is good.
      if (!isCut) throw damaged;
    }
  }

  private static FetchException broken(String how) {
    return new FetchException(FetchFailure.DECODING, "the body is " + how);
  }
}
