package io.tidemill.crawler.document;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/// The parts of a zipped document, inflated one by one when they are asked for, and only up to a
/// limit that no honest text reaches (F49).
final class ZipParts implements AutoCloseable {
  static final int LARGEST_PART = 32 * 1024 * 1024;
  static final int LARGEST_SUM = 64 * 1024 * 1024;
  private static final int MOST_PARTS = 20_000;

  private final ZipFile zip;
  private int left = LARGEST_SUM;

  ZipParts(byte[] body) throws IOException {
    zip = ZipFile.builder().setByteArray(body).get();
    if (names().size() > MOST_PARTS) throw new IOException("more than " + MOST_PARTS + " parts");
  }

  List<String> names() {
    return Collections.list(zip.getEntries()).stream().map(ZipArchiveEntry::getName).toList();
  }

  boolean has(String name) {
    return zip.getEntry(name) != null;
  }

  /// A part; empty when there is none of that name.
  byte[] read(String name) throws IOException {
    var entry = zip.getEntry(name);
    if (entry == null) return new byte[0];
    int most = Math.min(LARGEST_PART, left);
    try (var in = zip.getInputStream(entry)) {
      var bytes = in.readNBytes(most + 1);
      if (bytes.length > most) throw new IOException(name + " inflates to more than is read");
      left -= bytes.length;
      return bytes;
    }
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
