package io.tidemill.content.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/// The files of a plain tar archive, all in memory; enough for the corpora.
public final class Tar {
  private static final int RECORD = 512;

  private final Map<String, byte[]> files;

  private Tar(Map<String, byte[]> files) {
    this.files = files;
  }

  public static Tar read(Path archive) {
    try (var in = open(archive)) {
      return new Tar(read(in));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  public Set<String> names() {
    return files.keySet();
  }

  /// The text of a file, unpacked if it is packed.
  public String text(String name) {
    var bytes = requireNonNull(files.get(name), name);
    return new String(name.endsWith(".gz") ? gunzip(bytes) : bytes, UTF_8);
  }

  private static byte[] gunzip(byte[] bytes) {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static InputStream open(Path archive) throws IOException {
    var file = Files.newInputStream(archive);
    return archive.toString().endsWith(".gz") ? new GZIPInputStream(file, 1 << 16) : file;
  }

  private static Map<String, byte[]> read(InputStream in) throws IOException {
    var files = new TreeMap<String, byte[]>();
    for (var header = in.readNBytes(RECORD); isEntry(header); header = in.readNBytes(RECORD)) {
      var size = Integer.parseInt(string(header, 124, 12), 8);
      var content = in.readNBytes(size);
      in.skipNBytes((RECORD - size % RECORD) % RECORD);
      if (header[156] == '0') files.put(string(header, 0, 100), content);
    }
    return files;
  }

  private static boolean isEntry(byte[] header) {
    return header.length == RECORD && header[0] != 0;
  }

  private static String string(byte[] header, int at, int length) {
    var text = new String(header, at, length, UTF_8);
    var end = text.indexOf('\0');
    return (end < 0 ? text : text.substring(0, end)).strip();
  }
}
