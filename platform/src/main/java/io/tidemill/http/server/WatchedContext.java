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
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/// A connection's context whose reads and writes keep deadlines.
final class WatchedContext implements ConnectionContext {
  private final ConnectionContext context;
  private final ConnectionDeadlines deadlines;
  private final DataReader reader;
  private final DataWriter writer;

  WatchedContext(ConnectionContext context, ConnectionDeadlines deadlines) {
    this.context = context;
    this.deadlines = deadlines;
    this.reader = DataReader.create(this::read);
    this.writer = new Writer(context.dataWriter(), deadlines);
  }

  ConnectionDeadlines deadlines() {
    return deadlines;
  }

  private byte[] read() {
    if (deadlines.isLast()) throw new CloseConnectionException("the last request was answered");
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

  private record Writer(DataWriter to, ConnectionDeadlines deadlines) implements DataWriter {
    @Override
    public void write(BufferData... buffers) {
      inTime(() -> to.write(buffers));
    }

    @Override
    public void write(BufferData buffer) {
      inTime(() -> to.write(buffer));
    }

    @Override
    public void writeNow(BufferData... buffers) {
      inTime(() -> to.writeNow(buffers));
    }

    @Override
    public void writeNow(BufferData buffer) {
      inTime(() -> to.writeNow(buffer));
    }

    @Override
    public void flush() {
      inTime(to::flush);
    }

    @Override
    public void close() {
      to.close();
    }

    private void inTime(Runnable write) {
      deadlines.writing();
      write.run();
      deadlines.written();
    }
  }
}
