package io.tidemill.http.server;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerResponse;
import io.tidemill.http.Response;
import io.tidemill.http.SseBody;
import io.tidemill.http.SseStreams;
import io.tidemill.http.SseWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes responses, each with security headers.
final class ResponseWriter {
  private static final Logger log = LoggerFactory.getLogger(ResponseWriter.class);

  static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "Cache-Control", "no-store");

  private static final Map<String, String> STREAM_HEADERS =
      Map.of(
          "Content-Type", "text/event-stream",
          "Cache-Control", "no-cache",
          "X-Accel-Buffering", "no");

  private final SseStreams streams;

  ResponseWriter(SseStreams streams) {
    this.streams = streams;
  }

  void write(Response response, boolean headOnly, Map<String, String> extra, ServerResponse to) {
    to.status(Status.create(response.status()));
    SECURITY_HEADERS.forEach((name, value) -> set(to, name, value));
    extra.forEach((name, value) -> set(to, name, value));
    switch (response) {
      case Response.Body body -> write(body, headOnly, to);
      case Response.Events events -> write(events, headOnly, to);
      case Response.Stream stream -> write(stream, headOnly, to);
    }
  }

  private static void write(Response.Body body, boolean headOnly, ServerResponse to) {
    if (!body.contentType().isEmpty()) set(to, "Content-Type", body.contentType());
    body.headers().forEach((name, value) -> set(to, name, value));
    if (headOnly) {
      set(to, "Content-Length", Integer.toString(body.body().length));
      to.send();
    } else if (body.body().length == 0) {
      to.send();
    } else {
      to.send(body.body());
    }
  }

  private static void write(Response.Stream stream, boolean headOnly, ServerResponse to) {
    set(to, "Content-Type", stream.contentType());
    stream.headers().forEach((name, value) -> set(to, name, value));
    if (headOnly) {
      to.send();
      return;
    }
    var out = new ClientStream(to.outputStream());
    try {
      stream.body().writeTo(out);
      out.close(); // only when complete: a client detects a cut stream by its missing end
    } catch (IOException gone) {
      throw new CloseConnectionException("client is gone", gone);
    } catch (RuntimeException failed) {
      log.error("a response broke off", failed);
      throw new CloseConnectionException("answer broke off", failed);
    }
  }

  private void write(Response.Events events, boolean headOnly, ServerResponse to) {
    STREAM_HEADERS.forEach((name, value) -> set(to, name, value));
    events.headers().forEach((name, value) -> set(to, name, value));
    if (headOnly) {
      to.send();
      return;
    }
    if (!streams.enter()) throw new CloseConnectionException("the server stops");
    try (var out = new ClientStream(to.outputStream())) {
      stream(events.body(), new SseWriter(out));
    } catch (IOException gone) {
      throw new CloseConnectionException("client is gone", gone);
    } catch (RuntimeException failed) {
      log.error("an event stream failed", failed);
      throw new CloseConnectionException("event stream failed", failed);
    }
  }

  /// Unregisters before the stream is closed, so that no interrupt cuts its last bytes.
  private void stream(SseBody body, SseWriter out) throws IOException {
    try {
      body.writeTo(out);
    } catch (InterruptedException _) {
      log.debug("an event stream was asked to end");
    } finally {
      streams.leave();
    }
  }

  private static void set(ServerResponse to, String name, String value) {
    to.headers().set(HeaderNames.create(name), value);
  }

  /// Maps the unchecked exceptions by which Helidon reports a lost client to [IOException].
  private static final class ClientStream extends FilterOutputStream {
    ClientStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      lost(() -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
      lost(out::flush);
    }

    @Override
    public void close() throws IOException {
      lost(out::close);
    }

    private static void lost(Write write) throws IOException {
      try {
        write.run();
      } catch (RuntimeException gone) {
        throw new IOException("client is gone", gone);
      }
    }

    private interface Write {
      void run() throws IOException;
    }
  }
}
