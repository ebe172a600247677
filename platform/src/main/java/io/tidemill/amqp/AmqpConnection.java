package io.tidemill.amqp;

import static java.util.Objects.requireNonNull;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import com.rabbitmq.client.impl.FrameHandlerFactory;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One connection to the broker.
///
/// It does not repair itself. Whoever owns it opens another one, so that nothing of the old one,
/// such as a delivery tag, can be used on the new one by mistake (F43).
public final class AmqpConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AmqpConnection.class);
  private static final int CONNECT_MILLIS = 5_000;
  private static final int RPC_MILLIS = 10_000;
  private static final int HEARTBEAT_SECONDS = 20;
  private static final int CLOSE_MILLIS = 2_000;

  // RabbitMQ itself takes no larger ones. At the client's own limit it would cut the connection,
  // and
  // meet the same message again on the next.
  private static final int MAX_BODY = 512 * 1024 * 1024;

  private final Connection connection;
  private final ThrottledSocket wire;

  private AmqpConnection(Connection connection, ThrottledSocket wire) {
    this.connection = connection;
    this.wire = wire;
  }

  /// @param gate holds up reading while it is shut
  /// @throws AmqpException when the broker does not let us in
  public static AmqpConnection open(AmqpConfig config, String name, ByteGate gate) {
    var dial = new Dial(gate);
    configure(dial, config);
    try {
      var connection = dial.newConnection(new CallerRuns(), name);
      return new AmqpConnection(connection, requireNonNull(dial.wire));
    } catch (IOException | TimeoutException | AlreadyClosedException unreachable) {
      throw new AmqpException("amqp: " + AmqpException.describe(unreachable), unreachable);
    }
  }

  /// A link for questions and declarations.
  public static AmqpConnection open(AmqpConfig config, String name) {
    return open(config, name, ByteGate.alwaysOpen());
  }

  private static void configure(ConnectionFactory factory, AmqpConfig config) {
    try {
      factory.setUsername(config.user());
      factory.setPassword(config.password());
      factory.setUri(URI.create(config.url()));
    } catch (Exception malformed) {
      throw new AmqpException(
          AmqpException.Kind.IMPOSSIBLE,
          "amqp.url can't be used: expected amqp://host:port",
          malformed);
    }
    factory.setConnectionTimeout(CONNECT_MILLIS);
    factory.setHandshakeTimeout(CONNECT_MILLIS);
    factory.setChannelRpcTimeout(RPC_MILLIS);
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setMaxInboundMessageBodySize(MAX_BODY);
    factory.setExceptionHandler(new Quiet());
    factory.setThreadFactory(Thread.ofPlatform().daemon().name("amqp-", 0).factory());
  }

  /// @throws AmqpException when the connection is gone, or has no channel left
  public Channel channel() {
    try {
      var channel = connection.createChannel();
      if (channel == null) throw new AmqpException("amqp: no channel left", null);
      return channel;
    } catch (IOException | AlreadyClosedException gone) {
      throw new AmqpException("amqp: " + AmqpException.describe(gone), gone);
    }
  }

  Connection connection() {
    return connection;
  }

  /// Keeps what the calling thread writes until [#flush]: one system call for many messages.
  void collectWrites() {
    wire.collectWrites();
  }

  void flush() throws IOException {
    wire.flushWrites();
  }

  /// Which of the two brokers this is; they differ in how many can be given back at once.
  public boolean isRabbitMq() {
    return "RabbitMQ".equals(String.valueOf(connection.getServerProperties().get("product")));
  }

  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public void close() {
    connection.abort(CLOSE_MILLIS);
  }

  private static final class Dial extends ConnectionFactory {
    private final ByteGate gate;
    @Nullable ThrottledSocket wire;

    Dial(ByteGate gate) {
      this.gate = gate;
    }

    @Override
    protected synchronized FrameHandlerFactory createFrameHandlerFactory() throws IOException {
      var sockets = super.createFrameHandlerFactory();
      return (Address address, String name) -> {
        var dialled = new ThrottledSocket(sockets.create(address, name), gate);
        wire = dialled;
        return dialled;
      };
    }
  }

  // The owner hears of the end of a connection, and says what there is to say.
  private static final class Quiet extends ForgivingExceptionHandler {
    @Override
    protected void log(String message, Throwable failure) {
      log.debug("{}", message, failure);
    }
  }
}
