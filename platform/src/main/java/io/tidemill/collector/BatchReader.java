package io.tidemill.collector;

import io.tidemill.contract.collected.CollectedItems;
import io.tidemill.json.Json;
import io.tidemill.s3.DecompressedStream;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
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
import tools.jackson.databind.util.TokenBuffer;

/// Reads the items of a batch one at a time, however many there are: one object, an array of them,
/// a list `{"items":[…]}`, or a line for each (NDJSON); plain, gzip or zstd (C5.6, C5.7).
///
/// An item that is no JSON in its line, too large or too deep is reported and the next one read. A
/// batch that ends in the middle, or is no JSON as a whole, is a [BatchException].
final class BatchReader implements AutoCloseable {
  /// The largest item, in bytes of JSON.
  static final int MAX_ITEM = 4 * 1024 * 1024;

  // Items beyond our limits are skipped as long as their pieces are within these.
  private static final int LONGEST_PIECE = 16 * 1024 * 1024;
  private static final int DEEPEST = 10_000;
  private static final int LONGEST_NUMBER = 1_000;

  private static final int BUFFER = 64 * 1024;
  private static final int BYTE_ORDER_MARK = 0xEFBBBF;

  // As strict and lossless as for messages, but a batch may be as long as it likes.
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxNumberLength(LONGEST_PIECE)
                          .maxStringLength(LONGEST_PIECE)
                          .maxNameLength(LONGEST_PIECE)
                          .maxDocumentLength(-1)
                          .build())
                  .build())
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /// One item, or what is wrong with it.
  sealed interface Entry {
    record Good(JsonNode item) implements Entry {}

    record Bad(String why) implements Entry {}
  }

  private final Limited bytes;
  private final Source source;

  private interface Source {
    @Nullable Entry next() throws IOException, BatchException;
  }

  /// @param mostBytes that it may hold, unpacked
  BatchReader(InputStream stream, long mostBytes) throws BatchException {
    try {
      bytes = new Limited(DecompressedStream.of(stream), mostBytes);
      source = source(new BufferedInputStream(bytes, BUFFER));
    } catch (IOException notReadable) {
      throw refused(notReadable, mostBytes);
    }
  }

  private static Source source(BufferedInputStream stream) throws IOException, BatchException {
    skipByteOrderMark(stream);
    var first = firstLetter(stream);
    if (isWide(stream)) throw BatchException.broken("the batch is not UTF-8");
    return switch (first) {
      case -1 -> throw BatchException.broken("the batch is empty");
      case '[' -> new Values(stream, Layout.ARRAY);
      case '{' -> {
        if (isList(stream)) yield new Values(stream, Layout.LISTS);
        yield isOneALine(stream) ? new Lines(stream) : new Values(stream, Layout.OBJECTS);
      }
      default -> throw BatchException.broken("the batch is neither an array nor an object");
    };
  }

  private static void skipByteOrderMark(BufferedInputStream stream) throws IOException {
    stream.mark(3);
    var mark = 0;
    for (var i = 0; i < 3; i++) mark = mark << 8 | Math.max(0, stream.read());
    if (mark != BYTE_ORDER_MARK) stream.reset();
  }

  private static int firstLetter(BufferedInputStream stream) throws IOException {
    while (true) {
      stream.mark(1);
      var letter = stream.read();
      if (letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t') continue;
      stream.reset();
      return letter;
    }
  }

  // UTF-16 and UTF-32 have zeros beside every plain letter.
  private static boolean isWide(BufferedInputStream stream) throws IOException {
    stream.mark(2);
    var first = stream.read();
    var second = stream.read();
    stream.reset();
    return first == 0 || second == 0;
  }

  // Decided by the whole object, or by its beginning when it is larger than any item.
  private static boolean isList(BufferedInputStream stream) throws IOException {
    stream.mark(MAX_ITEM + 2);
    var hasItems = false;
    try (var parser = MAPPER.createParser(stream.readNBytes(MAX_ITEM))) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        var name = parser.currentName();
        var isArray = parser.nextToken() == JsonToken.START_ARRAY;
        hasItems = hasItems || (isArray && name.equals(CollectedItems.FIELD));
        var isLarge = !name.equals("meta");
        JsonNode value = isLarge ? MAPPER.nullNode() : MAPPER.readTree(parser);
        if (CollectedItems.isOfAnItem(name, value)) return false;
        if (isLarge) parser.skipChildren();
      }
      return hasItems;
    } catch (JacksonException cutOrBroken) {
      return hasItems;
    } finally {
      stream.reset();
    }
  }

  private static boolean isOneALine(BufferedInputStream stream) throws IOException {
    stream.mark(MAX_ITEM + 2);
    var line = new Lines(stream).beginning();
    stream.reset();
    return line.length <= MAX_ITEM && parse(line) instanceof Entry.Good;
  }

  private static Entry parse(byte[] line) {
    try {
      return new Entry.Good(Json.parse(line));
    } catch (JacksonException notJson) {
      return new Entry.Bad("the item is not valid JSON");
    }
  }

  /// The next; null after the last.
  @Nullable Entry next() throws BatchException {
    try {
      return source.next();
    } catch (IOException failed) {
      throw refused(failed, bytes.most);
    }
  }

  private static BatchException refused(IOException failed, long most) {
    if (failed instanceof TooMuch) {
      return BatchException.permanent("the batch is larger than " + most + " bytes");
    }
    return BatchException.broken("the batch can't be unpacked: " + failed.getMessage());
  }

  private static BatchException notJson(JacksonException wrong) {
    return BatchException.broken("the batch is " + Json.fault(wrong));
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }

  /// A line for each item.
  private record Lines(InputStream stream) implements Source {
    @Override
    public @Nullable Entry next() throws IOException {
      while (true) {
        var line = line();
        if (line.length == 0) return null;
        if (line.length > MAX_ITEM) return tooLarge();
        if (!isBlank(line)) return parse(line);
      }
    }

    /// With its line break; empty at the end, and cut when it is too long.
    private byte[] line() throws IOException {
      var line = beginning();
      var isWhole = line.length <= MAX_ITEM || line[line.length - 1] == '\n';
      for (var next = 0; !isWhole && next >= 0 && next != '\n'; ) next = stream.read();
      return line;
    }

    byte[] beginning() throws IOException {
      var line = new ByteArrayOutputStream(1024);
      for (var next = stream.read(); next >= 0; next = stream.read()) {
        line.write(next);
        if (next == '\n' || line.size() > MAX_ITEM) break;
      }
      return line.toByteArray();
    }

    private static boolean isBlank(byte[] line) {
      for (var letter : line) if (letter < 0 || letter > ' ') return false;
      return true;
    }
  }

  private static Entry outOfRange() {
    return new Entry.Bad("the item has a number that is out of range");
  }

  private static Entry tooLarge() {
    return new Entry.Bad("the item is larger than " + MAX_ITEM + " bytes");
  }

  private enum Layout {
    ARRAY,
    OBJECTS,
    LISTS
  }

  /// The items of an array or of lists, or objects one after the other.
  private static final class Values implements Source {
    private final JsonParser parser;
    private final boolean isArray;
    private final boolean isList;
    private boolean isInList;

    Values(InputStream stream, Layout layout) throws BatchException, IOException {
      isArray = layout == Layout.ARRAY;
      isList = layout == Layout.LISTS;
      try {
        parser = MAPPER.createParser(stream);
        if (isArray) parser.nextToken();
      } catch (JacksonIOException failed) {
        throw cause(failed);
      } catch (JacksonException wrong) {
        throw notJson(wrong);
      }
    }

    @Override
    public @Nullable Entry next() throws IOException, BatchException {
      try {
        if (isList && !isBeforeItem()) return null;
        var token = isList ? parser.currentToken() : parser.nextToken();
        if (token == null) {
          if (isArray) throw BatchException.broken("the batch ends in the middle");
          return null;
        }
        if (isArray && token == JsonToken.END_ARRAY) {
          if (parser.nextToken() == null) return null;
          throw BatchException.broken("the batch does not end with its array");
        }
        return value();
      } catch (JacksonIOException failed) {
        throw cause(failed);
      } catch (JacksonException wrong) {
        throw notJson(wrong);
      } catch (NumberFormatException outOfRange) {
        throw BatchException.broken("the batch has a number that is out of range");
      }
    }

    // Goes on to the next item of the next list; what lists have beside their items is passed over.
    private boolean isBeforeItem() throws BatchException {
      while (true) {
        var token = parser.nextToken();
        if (isInList && token != JsonToken.END_ARRAY) return true;
        isInList = false;
        if (token == null) return false;
        switch (token) {
          case PROPERTY_NAME -> enterOrSkip();
          case START_OBJECT, END_OBJECT, END_ARRAY -> {}
          default -> throw BatchException.broken("the batch does not end with its items");
        }
      }
    }

    private void enterOrSkip() {
      var isItems = parser.currentName().equals(CollectedItems.FIELD);
      isInList = parser.nextToken() == JsonToken.START_ARRAY && isItems;
      if (!isInList) parser.skipChildren();
    }

    // Token by token, to stop keeping them before they fill the memory.
    private Entry value() throws BatchException {
      var start = parser.currentTokenLocation().getByteOffset();
      var kept = TokenBuffer.forGeneration().overrideParentContext(null);
      var isTooLarge = false;
      var isTooDeep = false;
      var isTooLong = false;
      var depth = 0;
      var token = parser.currentToken();
      while (true) {
        isTooLarge = isTooLarge || parser.currentLocation().getByteOffset() - start > MAX_ITEM;
        isTooDeep = isTooDeep || depth > Json.MAX_DEPTH;
        isTooLong = isTooLong || (token.isNumeric() && parser.getStringLength() > LONGEST_NUMBER);
        if (!isTooLarge && !isTooDeep && !isTooLong) kept.copyCurrentEvent(parser);
        if (token.isStructStart()) depth++;
        else if (token.isStructEnd()) depth--;
        if (depth == 0) break;
        token = parser.nextToken();
        if (token == null) throw BatchException.broken("the batch ends in the middle");
      }
      if (isTooLarge) return tooLarge();
      if (isTooDeep) return new Entry.Bad("the item is nested too deep");
      if (isTooLong) return outOfRange();
      try {
        JsonNode item = MAPPER.readTree(kept.asParser());
        return new Entry.Good(item);
      } catch (JacksonException | NumberFormatException outOfRange) {
        return outOfRange();
      }
    }

    private static IOException cause(JacksonIOException failed) {
      var plain = failed.getCause();
      return plain == null ? new IOException(failed.getMessage(), failed) : plain;
    }
  }

  private static final class TooMuch extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /// Ends what would never end: a few bytes can unpack to any number.
  private static final class Limited extends InputStream {
    private final InputStream stream;
    private final long most;
    private long left;

    Limited(InputStream stream, long most) {
      this.stream = stream;
      this.most = most;
      left = most;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      var read = stream.read(buffer, offset, length);
      left -= Math.max(0, read);
      if (left < 0) throw new TooMuch();
      return read;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
