package io.tidemill.servers.rabbitmq;

import static org.apache.qpid.server.protocol.ErrorCodes.ACCESS_REFUSED;
import static org.apache.qpid.server.protocol.ErrorCodes.ALREADY_EXISTS;
import static org.apache.qpid.server.protocol.ErrorCodes.ARGUMENT_INVALID;
import static org.apache.qpid.server.protocol.ErrorCodes.INVALID_ARGUMENT;
import static org.apache.qpid.server.protocol.ErrorCodes.IN_USE;
import static org.apache.qpid.server.protocol.ErrorCodes.NOT_ALLOWED;
import static org.apache.qpid.server.protocol.ErrorCodes.NOT_FOUND;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Protocol;
import org.apache.qpid.server.model.Transport;
import org.apache.qpid.server.model.port.AmqpPort;
import org.apache.qpid.server.protocol.v0_8.AMQChannel;
import org.apache.qpid.server.protocol.v0_8.AMQPConnection_0_8Impl;
import org.apache.qpid.server.protocol.v0_8.AMQShortString;
import org.apache.qpid.server.protocol.v0_8.FieldTable;
import org.apache.qpid.server.protocol.v0_8.ProtocolOutputConverter;
import org.apache.qpid.server.protocol.v0_8.transport.AMQDataBlock;
import org.apache.qpid.server.protocol.v0_8.transport.AMQFrame;
import org.apache.qpid.server.protocol.v0_8.transport.BasicNackBody;
import org.apache.qpid.server.protocol.v0_8.transport.ServerChannelMethodProcessor;
import org.apache.qpid.server.transport.AggregateTicker;
import org.apache.qpid.server.transport.ServerNetworkConnection;
import org.jspecify.annotations.Nullable;

/// A connection that answers mistakes with RabbitMQ's codes, most of them on the channel, where the
/// broker would end the connection.
final class RabbitConnection extends AMQPConnection_0_8Impl {
  /// RabbitMQ's names for two codes that the broker calls differently.
  static final int RESOURCE_LOCKED = ALREADY_EXISTS;

  static final int PRECONDITION_FAILED = IN_USE;

  private static final int QUEUE_CLASS = 50;
  private static final int BASIC_GET = 70;

  private final Map<Integer, RabbitChannel> channels = new ConcurrentHashMap<>();
  private @Nullable ProtocolOutputConverter output;
  private boolean isCancelNotified;
  private boolean isAuthenticating;
  private boolean isOpening;
  private int classId;
  private int methodId;

  RabbitConnection(
      Broker<?> broker,
      ServerNetworkConnection network,
      AmqpPort<?> port,
      Transport transport,
      long id,
      AggregateTicker ticker) {
    super(broker, network, port, transport, Protocol.AMQP_0_9_1, id, ticker);
  }

  @Override
  public void receiveConnectionStartOk(
      FieldTable properties, AMQShortString mechanism, byte[] response, AMQShortString locale) {
    isCancelNotified =
        FieldTable.convertToMap(properties).get("capabilities") instanceof Map<?, ?> capabilities
            && Boolean.TRUE.equals(capabilities.get("consumer_cancel_notify"));
    isAuthenticating = true;
    super.receiveConnectionStartOk(properties, mechanism, response, locale);
    isAuthenticating = false;
  }

  @Override
  public void receiveConnectionSecureOk(byte[] response) {
    isAuthenticating = true;
    super.receiveConnectionSecureOk(response);
    isAuthenticating = false;
  }

  @Override
  public void receiveConnectionOpen(
      AMQShortString virtualHost, AMQShortString capabilities, boolean insist) {
    isOpening = true;
    super.receiveConnectionOpen(virtualHost, capabilities, insist);
    isOpening = false;
  }

  @Override
  public void setCurrentMethod(int classId, int methodId) {
    this.classId = classId;
    this.methodId = methodId;
    super.setCurrentMethod(classId, methodId);
  }

  @Override
  public ServerChannelMethodProcessor getChannelMethodProcessor(int id) {
    var broker = super.getChannelMethodProcessor(id);
    if (!(broker instanceof AMQChannel channel)) return broker;
    var known = channels.get(id);
    if (known != null && known.isOf(channel)) return known;
    var opened = new RabbitChannel(this, channel);
    channels.put(id, opened);
    return opened;
  }

  @Override
  public ProtocolOutputConverter getProtocolOutputConverter() {
    if (output == null) output = new RabbitOutput(super.getProtocolOutputConverter(), this);
    return output;
  }

  /// The confirmation that waits for the return of its message; null when there is none.
  RabbitChannel.@Nullable Refused refusedPublish(int channelId) {
    var channel = channels.get(channelId);
    return channel == null ? null : channel.nextRefused();
  }

  // The broker sends it before the message is returned, RabbitMQ confirms afterwards.
  @Override
  public synchronized void writeFrame(AMQDataBlock block) {
    if (block instanceof AMQFrame frame && frame.getBodyFrame() instanceof BasicNackBody nack) {
      var channel = channels.get(frame.getChannel());
      if (channel != null && channel.holdBack(nack)) return;
    }
    super.writeFrame(block);
  }

  /// Confirms a publish whose confirmation was held back.
  void confirm(AMQFrame frame) {
    super.writeFrame(frame);
  }

  /// Tells the client that its consumer is gone, if it listens to that.
  void cancelConsumer(AMQChannel channel, AMQShortString tag) {
    if (!isCancelNotified) return;
    addAsyncTask(_ -> {
      if (!channel.equals(getChannel(channel.getChannelId()))) return;
      writeFrame(
          getMethodRegistry()
              .createBasicCancelBody(tag, true)
              .generateFrame(channel.getChannelId()));
    });
  }

  /// Ends a channel with RabbitMQ's code and wording.
  void refuse(AMQChannel channel, int code, String why) {
    super.closeChannelAndWriteFrame(channel, code, text(code, why));
  }

  @Override
  public void closeChannelAndWriteFrame(AMQChannel channel, int code, String message) {
    refuse(channel, code == ALREADY_EXISTS ? PRECONDITION_FAILED : code, message);
  }

  @Override
  public void sendConnectionClose(int code, String message, int channelId) {
    var channel = channelId == 0 ? null : getChannel(channelId);
    var channelCode = channel == null ? 0 : channelCode(code);
    if (channel != null && channelCode != 0) {
      refuse(channel, channelCode, message);
    } else if (isAuthenticating && code == NOT_ALLOWED) {
      super.sendConnectionClose(ACCESS_REFUSED, text(ACCESS_REFUSED, message), channelId);
    } else if (isOpening && code == NOT_FOUND) {
      super.sendConnectionClose(NOT_ALLOWED, text(NOT_ALLOWED, message), channelId);
    } else {
      super.sendConnectionClose(code, message, channelId);
    }
  }

  // 0: RabbitMQ ends the connection, too.
  private int channelCode(int code) {
    return switch (code) {
      case ACCESS_REFUSED, NOT_FOUND -> code;
      case ARGUMENT_INVALID, INVALID_ARGUMENT -> PRECONDITION_FAILED;
      case NOT_ALLOWED -> disallowedCode();
      default -> 0;
    };
  }

  // An exclusive queue of somebody else, or an exclusive consumer there.
  private int disallowedCode() {
    if (classId == QUEUE_CLASS) return RESOURCE_LOCKED;
    return methodId == BASIC_GET ? ACCESS_REFUSED : 0;
  }

  private static String text(int code, String message) {
    var name =
        switch (code) {
          case ACCESS_REFUSED -> "ACCESS_REFUSED";
          case NOT_FOUND -> "NOT_FOUND";
          case RESOURCE_LOCKED -> "RESOURCE_LOCKED";
          case PRECONDITION_FAILED -> "PRECONDITION_FAILED";
          case NOT_ALLOWED -> "NOT_ALLOWED";
          default -> "";
        };
    return name.isEmpty() ? message : name + " - " + message;
  }
}
