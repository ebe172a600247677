package io.tidemill.crawler.document;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The main of a child process: reads documents from its input, writes their text to its output,
/// and ends when its input does, so that it never outlives its parent.
public final class DocumentChild {
  private static final int MAX_BODY = 1 << 30;

  private final DataInputStream in;
  private final DataOutputStream out;
  private final DocumentParser parser = new DocumentParser();

  private DocumentChild(DataInputStream in, DataOutputStream out) {
    this.in = in;
    this.out = out;
  }

  /// Serves its parent until that closes the input.
  public static void main(String[] arguments) throws IOException {
    var out = new FileOutputStream(FileDescriptor.out);
    // A library that prints must not end up between the answers.
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    new DocumentChild(
            new DataInputStream(new BufferedInputStream(System.in)),
            new DataOutputStream(new BufferedOutputStream(out)))
        .serve();
  }

  private void serve() throws IOException {
    try {
      while (true) answer();
    } catch (EOFException parentIsGone) {
      // The end.
    }
  }

  private void answer() throws IOException {
    var type = DocumentType.valueOf(PipeFrame.readText(in, 100));
    var maxText = in.readInt();
    var body = PipeFrame.readBytes(in, MAX_BODY);
    out.writeInt(PipeFrame.MARK);
    try {
      var parsed = parser.parse(body, type, maxText);
      out.writeByte(PipeFrame.DONE);
      PipeFrame.writeText(out, parsed.mediaType());
      PipeFrame.writeText(out, parsed.title());
      PipeFrame.writeText(out, parsed.text());
      PipeFrame.writeText(out, parsed.language());
      out.writeLong(millis(parsed.createdAt()));
      out.writeLong(millis(parsed.modifiedAt()));
    } catch (DocumentParser.UnreadableException unreadable) {
      out.writeByte(PipeFrame.FAILED);
      PipeFrame.writeText(out, String.valueOf(unreadable.getMessage()));
    }
    out.flush();
  }

  private static long millis(@Nullable Instant date) {
    return date == null ? PipeFrame.NEVER : date.toEpochMilli();
  }
}
