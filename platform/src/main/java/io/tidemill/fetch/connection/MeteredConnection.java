package io.tidemill.fetch.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/// One connection to a host, which counts every byte that comes in and stops at a limit.
public final class MeteredConnection extends DefaultBHttpClientConnection {
  public static final int BUFFER = 8 * 1024;

  private final Socket socket;
  private final Meter meter;
  private @Nullable SessionInputBuffer buffer;
  private long idleSinceNanos;

  public MeteredConnection(Socket socket, @Nullable SSLSocket tls, Http1Config config)
      throws IOException {
    super(config);
    this.socket = socket;
    this.meter = new Meter((tls == null ? socket : tls).getInputStream());
    bind(tls == null ? new Metered(socket, meter) : new Metered(tls, socket, meter));
  }

  /// The socket under all layers.
  public Socket socket() {
    return socket;
  }

  /// Lets that many bytes more come in; then reading fails with [TooMuch].
  public void allow(long bytes) {
    meter.limit = meter.received + bytes;
  }

  public long received() {
    return meter.received;
  }

  public void send(String head) throws IOException {
    ensureOpen().getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
  }

  /// Whether nothing came behind the last answer: it could pass for the next one.
  public boolean isClean() {
    return buffer == null || buffer.length() == 0;
  }

  @Override
  protected InputStream createContentInputStream(
      long length, SessionInputBuffer in, InputStream stream) {
    buffer = in;
    return super.createContentInputStream(length, in, stream);
  }

  /// Closes without reading what is left: the rest of a bomb would take seconds.
  void abort() {
    close(CloseMode.IMMEDIATE);
  }

  void idleSince(long nanos) {
    idleSinceNanos = nanos;
  }

  long idleSince() {
    return idleSinceNanos;
  }

  /// More came than was allowed.
  public static final class TooMuch extends IOException {
    TooMuch() {
      super("too many bytes");
    }
  }

  private static final class Meter extends FilterInputStream {
    private long received;
    private long limit;

    Meter(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (received >= limit) throw new TooMuch();
      var count = in.read(bytes, offset, length);
      if (count > 0) received += count;
      return count;
    }
  }

  private static final class Metered extends SocketHolder {
    private final Meter meter;

    Metered(Socket socket, Meter meter) {
      super(socket);
      this.meter = meter;
    }

    Metered(SSLSocket tls, Socket socket, Meter meter) {
      super(tls, socket);
      this.meter = meter;
    }

    @Override
    protected InputStream getInputStream(Socket source) {
      return meter;
    }
  }
}
