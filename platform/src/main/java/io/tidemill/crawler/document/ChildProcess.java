package io.tidemill.crawler.document;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A running child and the pipes to it; used by one thread at a time.
final class ChildProcess {
  private final Process process;
  private final DataOutputStream out;
  private final DataInputStream in;
  private int documents;

  private ChildProcess(Process process) {
    this.process = process;
    this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    this.in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
  }

  static ChildProcess start(long heapBytes) throws IOException {
    var builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx" + heapBytes / 1024 + "k",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-XX:-UsePerfData",
                    "-Xshare:auto",
                    "-Djava.awt.headless=true",
                    "-cp",
                    System.getProperty("java.class.path"),
                    DocumentChild.class.getName()))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    // It handles what strangers wrote: nothing secret is in its reach.
    builder.environment().clear();
    return new ChildProcess(builder.start());
  }

  DocumentReading read(byte[] body, DocumentType type, int maxText) throws IOException {
    documents++;
    PipeFrame.writeText(out, type.name());
    out.writeInt(maxText);
    PipeFrame.writeBytes(out, body);
    out.flush();
    return answer(maxText);
  }

  private DocumentReading answer(int maxText) throws IOException {
    if (in.readInt() != PipeFrame.MARK) throw new IOException("not an answer");
    return switch (in.readByte()) {
      case PipeFrame.DONE ->
          new ParsedDocument(
              PipeFrame.readText(in, 200),
              PipeFrame.readText(in, 10_000),
              PipeFrame.readText(in, maxText),
              PipeFrame.readText(in, 10_000),
              instant(in.readLong()),
              instant(in.readLong()));
      case PipeFrame.FAILED ->
          new DocumentReading.Failed(
              DocumentReading.Cause.UNREADABLE, PipeFrame.readText(in, 10_000));
      default -> throw new IOException("not an answer");
    };
  }

  private static @Nullable Instant instant(long millis) {
    return millis == PipeFrame.NEVER ? null : Instant.ofEpochMilli(millis);
  }

  int documents() {
    return documents;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Kills it at once.
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /// Lets it end by itself, and sees to it that it does.
  void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(2, TimeUnit.SECONDS)) kill();
    } catch (IOException gone) {
      kill();
    } catch (InterruptedException stopped) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}
