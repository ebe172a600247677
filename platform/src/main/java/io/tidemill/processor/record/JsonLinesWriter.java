package io.tidemill.processor.record;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Writes NDJSON into a file: one record a line.
public final class JsonLinesWriter implements Closeable {
  private static final int BUFFER = 64 * 1024;
  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().rootValueSeparator("\n").build())
          .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
          .build();

  private final Counted out;
  private final JsonGenerator json;
  private final int longest;
  private long count;

  private JsonLinesWriter(OutputStream out, int longest) {
    this.out = new Counted(out);
    this.longest = longest;
    json = MAPPER.createGenerator(this.out);
  }

  /// Begins a file for somebody else.
  public static JsonLinesWriter plain(Path file) throws IOException {
    return new JsonLinesWriter(
        new BufferedOutputStream(Files.newOutputStream(file), BUFFER), Integer.MAX_VALUE - 1);
  }

  /// Begins a compressed file for ourselves: it takes no record that could not be read again.
  public static JsonLinesWriter gzip(Path file) throws IOException {
    return new JsonLinesWriter(new Gzip(Files.newOutputStream(file)), JsonRecords.MAX_RECORD);
  }

  /// @throws RecordsException when the record is too large
  public void write(JsonNode record) throws IOException {
    var start = position();
    try {
      MAPPER.writeTree(json, record);
    } catch (JacksonIOException failed) {
      throw JsonRecords.cause(failed);
    }
    count++;
    // With the line break before it.
    if (position() - start > longest + 1) throw tooLarge(count);
  }

  static RecordsException tooLarge(long number) {
    return new RecordsException(
        "record %d is larger than %d bytes".formatted(number, JsonRecords.MAX_RECORD));
  }

  /// How many records were written.
  public long count() {
    return count;
  }

  private long position() {
    return out.count + json.streamWriteOutputBuffered();
  }

  @Override
  public void close() throws IOException {
    try (out) {
      if (json.isClosed()) return;
      if (count > 0) json.writeRaw('\n');
      json.close();
    } catch (JacksonIOException failed) {
      throw JsonRecords.cause(failed);
    }
  }

  private static final class Counted extends OutputStream {
    private final OutputStream out;
    private long count;

    Counted(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
      out.write(one);
      count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      count += length;
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private static final class Gzip extends GZIPOutputStream {
    Gzip(OutputStream out) throws IOException {
      super(new BufferedOutputStream(out, BUFFER), BUFFER);
      def.setLevel(Deflater.BEST_SPEED); // a third of the time, for a tenth more bytes
    }
  }
}
