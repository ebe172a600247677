package io.tidemill.processor.record;

import io.tidemill.api.RecordReader;
import io.tidemill.json.Json;
import io.tidemill.json.NumberRange;
import io.tidemill.s3.DecompressedStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/// Reads the records of a stream one at a time, however many there are: JSON values one after the
/// other (NDJSON), or the items of an array; plain, gzip or zstd, which it finds out itself.
///
/// What is wrong with the stream's content is a [RecordsException] that names the line.
public final class JsonRecords implements RecordReader {
  /// The largest record, in bytes of JSON.
  public static final int MAX_RECORD = 1024 * 1024;

  // As strict and lossless as for messages, but without a limit on the length of a file.
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(Json.MAX_DEPTH)
                          .maxNumberLength(1_000)
                          .maxStringLength(MAX_RECORD)
                          .maxDocumentLength(-1)
                          .build())
                  .build())
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final Allowance bytes;
  private final JsonParser parser;
  private final boolean unwraps;
  private boolean inArray;

  private JsonRecords(Allowance bytes, JsonParser parser, boolean unwraps) {
    this.bytes = bytes;
    this.parser = parser;
    this.unwraps = unwraps;
  }

  /// Opens a reader, which closes the stream; also when it can't be opened.
  public static JsonRecords open(InputStream stream) throws IOException {
    return open(stream, true);
  }

  /// The same for NDJSON that we wrote: an array in a line is a record, not a list of them.
  public static JsonRecords openLines(InputStream stream) throws IOException {
    return open(stream, false);
  }

  private static JsonRecords open(InputStream stream, boolean unwraps) throws IOException {
    try {
      var bytes = new Allowance(DecompressedStream.of(stream));
      return new JsonRecords(bytes, MAPPER.createParser(bytes), unwraps);
    } catch (IOException | JacksonIOException notReadable) {
      stream.close();
      throw refused(cause(notReadable), 1);
    } catch (RuntimeException failed) {
      stream.close();
      throw failed;
    }
  }

  @Override
  public @Nullable JsonNode next() throws IOException {
    bytes.renew();
    try {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.START_ARRAY && unwraps && !inArray) inArray = true;
        else if (token == JsonToken.END_ARRAY) inArray = false;
        else return record();
      }
      return null;
    } catch (JacksonIOException failed) {
      throw refused(cause(failed), line());
    } catch (JacksonException notJson) {
      throw new RecordsException(
          "the records are " + Json.fault(notJson).replace(", column", " column"), notJson);
    } catch (NumberFormatException outOfRange) {
      throw new RecordsException("line " + line() + " has a number that is out of range");
    }
  }

  private JsonNode record() throws RecordsException {
    var start = parser.currentTokenLocation().getByteOffset();
    JsonNode record = MAPPER.readTree(parser);
    if (parser.currentLocation().getByteOffset() - start > MAX_RECORD) throw tooLarge(line());
    var fault = NumberRange.fault("", record);
    if (fault.isPresent()) throw new RecordsException("line " + line() + ": " + fault.get());
    return record;
  }

  private int line() {
    return Math.max(1, parser.currentLocation().getLineNr());
  }

  /// The stream's own exception, without Jackson's wrapper.
  private static IOException cause(Exception failed) {
    if (failed instanceof IOException plain) return plain;
    return failed.getCause() instanceof IOException wrapped
        ? wrapped
        : new IOException(failed.getMessage(), failed);
  }

  private static RecordsException refused(IOException cause, int line) {
    if (cause instanceof TooMuch) return tooLarge(line);
    if (cause instanceof RecordsException known) return known;
    return new RecordsException(
        "the records can't be read behind line " + line + ": " + cause.getMessage(), cause);
  }

  private static RecordsException tooLarge(int line) {
    return new RecordsException(
        "the record in line " + line + " is larger than " + MAX_RECORD + " bytes");
  }

  @Override
  public void close() throws IOException {
    try {
      parser.close();
    } catch (JacksonIOException failed) {
      throw cause(failed);
    }
  }

  private static final class TooMuch extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /// Aborts an endless record before it fills the memory.
  private static final class Allowance extends InputStream {
    // What the parser may have read ahead, twice.
    private static final int AHEAD = 32 * 1024;

    private final InputStream stream;
    private long left = MAX_RECORD + AHEAD;

    Allowance(InputStream stream) {
      this.stream = stream;
    }

    void renew() {
      left = MAX_RECORD + AHEAD;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (left <= 0) throw new TooMuch();
      var read = stream.read(buffer, offset, (int) Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
