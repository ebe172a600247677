package io.tidemill.amqp;

import com.rabbitmq.client.WriteListener;
import com.rabbitmq.client.impl.AMQConnection;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.FrameHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/// The client's way to the socket, with two brakes: reading stops while a gate is shut, and one
/// thread may flush many messages at once.
///
/// The client has no other place for either: prefetch counts messages and not bytes (F41), and
/// every publish flushes.
final class ThrottledSocket implements FrameHandler {
  private final FrameHandler socket;
  private final ByteGate gate;
  private volatile @Nullable Thread collecting;

  ThrottledSocket(FrameHandler socket, ByteGate gate) {
    this.socket = socket;
    this.gate = gate;
  }

  void collectWrites() {
    collecting = Thread.currentThread();
  }

  void flushWrites() throws IOException {
    collecting = null;
    socket.flush(null);
  }

  @Override
  public void flush(@Nullable WriteListener listener) throws IOException {
    if (!Thread.currentThread().equals(collecting)) socket.flush(listener);
  }

  @Override
  public @Nullable Frame readFrame() throws IOException {
    gate.pass();
    return socket.readFrame();
  }

  @Override
  public void writeFrame(Frame frame) throws IOException {
    socket.writeFrame(frame);
  }

  @Override
  public boolean internalHearbeat() {
    return socket.internalHearbeat();
  }

  @Override
  public void setTimeout(int millis) throws SocketException {
    socket.setTimeout(millis);
  }

  @Override
  public int getTimeout() throws SocketException {
    return socket.getTimeout();
  }

  @Override
  public void sendHeader() throws IOException {
    socket.sendHeader();
  }

  @Override
  public void initialize(AMQConnection connection) {
    socket.initialize(connection);
  }

  @Override
  public void startProcessing() {
    socket.startProcessing();
  }

  @Override
  public void finishConnectionNegotiation() {
    socket.finishConnectionNegotiation();
  }

  @Override
  public void setFrameMax(int bytes) {
    socket.setFrameMax(bytes);
  }

  @Override
  public void close() {
    gate.openForGood();
    socket.close();
  }

  @Override
  public InetAddress getLocalAddress() {
    return socket.getLocalAddress();
  }

  @Override
  public int getLocalPort() {
    return socket.getLocalPort();
  }

  @Override
  public InetAddress getAddress() {
    return socket.getAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }
}
