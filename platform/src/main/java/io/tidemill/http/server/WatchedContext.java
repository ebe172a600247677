package io.tidemill.http.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/// A connection's context whose reads and writes have deadlines.
final class WatchedContext implements ConnectionContext {
  private final ConnectionContext context;
  private final ConnectionDeadlines deadlines;
  private final DataReader reader;
  private final DataWriter writer;
  private final Http10Head first;
  private final ChunkRemover chunks = new ChunkRemover();
  private boolean begun;

  WatchedContext(ConnectionContext context, ConnectionDeadlines deadlines) {
    this.context = context;
    this.deadlines = deadlines;
    this.reader = DataReader.create(this::read);
    this.first = new Http10Head(host(context.localPeer()));
    this.writer = new Writer();
  }

  private static String host(PeerInfo local) {
    var name = local.address() instanceof InetSocketAddress inet ? address(inet) : local.host();
    return name + ":" + local.port();
  }

  private static String address(InetSocketAddress local) {
    var text = local.getAddress().getHostAddress();
    return text.indexOf(':') < 0 ? text : "[" + text + "]";
  }

  ConnectionDeadlines deadlines() {
    return deadlines;
  }

  private byte[] read() {
    if (deadlines.isLast()) throw new CloseConnectionException("the last request was answered");
    if (begun) return next();
    begun = true;
    return first.read(this::beforeEnd);
  }

  private Optional<byte[]> beforeEnd() {
    try {
      return Optional.of(next());
    } catch (DataReader.InsufficientDataAvailableException end) {
      return Optional.empty();
    }
  }

  private byte[] next() {
    var source = context.dataReader();
    deadlines.reading();
    source.ensureAvailable();
    var bytes = source.readBytes(source.available());
    deadlines.read(bytes.length);
    return bytes;
  }

  @Override
  public DataReader dataReader() {
    return reader;
  }

  @Override
  public DataWriter dataWriter() {
    return writer;
  }

  @Override
  public ListenerContext listenerContext() {
    return context.listenerContext();
  }

  @Override
  public ExecutorService executor() {
    return context.executor();
  }

  @Override
  public Router router() {
    return context.router();
  }

  @Override
  public Optional<ProxyProtocolData> proxyProtocolData() {
    return context.proxyProtocolData();
  }

  @Override
  public HelidonSocket serverSocket() {
    return context.serverSocket();
  }

  @Override
  public PeerInfo remotePeer() {
    return context.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return context.localPeer();
  }

  @Override
  public boolean isSecure() {
    return context.isSecure();
  }

  @Override
  public String socketId() {
    return context.socketId();
  }

  @Override
  public String childSocketId() {
    return context.childSocketId();
  }

  /// Writes in time; without chunks to clients of HTTP/1.0.
  private final class Writer implements DataWriter {
    private final DataWriter to = context.dataWriter();

    @Override
    public void write(BufferData... buffers) {
      inTime(() -> to.write(converted(buffers)));
    }

    @Override
    public void write(BufferData buffer) {
      inTime(() -> to.write(converted(buffer)));
    }

    @Override
    public void writeNow(BufferData... buffers) {
      inTime(() -> to.writeNow(converted(buffers)));
    }

    @Override
    public void writeNow(BufferData buffer) {
      inTime(() -> to.writeNow(converted(buffer)));
    }

    @Override
    public void flush() {
      inTime(to::flush);
    }

    @Override
    public void close() {
      to.close();
    }

    private BufferData[] converted(BufferData[] buffers) {
      if (!first.isFound()) return buffers;
      return Arrays.stream(buffers).map(this::converted).toArray(BufferData[]::new);
    }

    private BufferData converted(BufferData buffer) {
      return first.isFound() ? BufferData.create(chunks.convert(buffer.readBytes())) : buffer;
    }

    private void inTime(Runnable write) {
      deadlines.writing();
      write.run();
      deadlines.written();
    }
  }
}
