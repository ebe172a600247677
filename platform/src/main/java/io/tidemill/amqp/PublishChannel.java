package io.tidemill.amqp;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.AMQContentHeader;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One connection with one channel in confirm mode, written to by one thread.
final class PublishChannel implements BlockedListener, AutoCloseable {
  // Smaller headers fit every broker's frame: no need to measure them.
  private static final int SURELY_FITS = 2_048;

  private final AmqpConnection link;
  private final Channel channel;
  private final PublisherConfirms confirms = new PublisherConfirms();
  private volatile @Nullable String blocked;
  private volatile String trouble = "no answer";

  private PublishChannel(AmqpConnection link) throws IOException {
    this.link = link;
    channel = link.channel();
    channel.addConfirmListener(confirms);
    channel.addReturnListener(confirms);
    channel.addShutdownListener(this::lose);
    link.connection().addBlockedListener(this);
    channel.confirmSelect();
  }

  static PublishChannel open(AmqpConfig config) {
    var link = AmqpConnection.open(config, "tidemill-publish");
    try {
      return new PublishChannel(link);
    } catch (IOException | RuntimeException refused) {
      link.close();
      throw new AmqpException("amqp: " + AmqpException.describe(refused), refused);
    }
  }

  private void lose(ShutdownSignalException cause) {
    trouble = AmqpException.describe(cause);
    confirms.lose(new AmqpException("the connection was lost: " + trouble, cause));
  }

  void collectWrites() {
    link.collectWrites();
  }

  void write(PendingConfirm message) {
    if (!fits(message)) {
      message.fail(
          new AmqpException(
              AmqpException.Kind.IMPOSSIBLE, "the headers are too large for the broker", null));
      return;
    }
    try {
      confirms.sending(channel.getNextPublishSeqNo(), message);
      channel.basicPublish(
          message.exchange, message.routingKey, true, message.properties, message.body);
    } catch (IOException | RuntimeException gone) {
      // The numbers of channel and broker may differ from here on.
      giveUp(gone);
      message.fail(new AmqpException("amqp: " + AmqpException.describe(gone), gone));
    }
  }

  // Headers go in one frame. The client would refuse too late: its count of messages would be off.
  private boolean fits(PendingConfirm message) {
    if (estimate(message.properties.getHeaders()) < SURELY_FITS) return true;
    try {
      var header = (AMQContentHeader) message.properties;
      var most = link.connection().getFrameMax();
      return most == 0 || header.toFrame(channel.getChannelNumber(), 0).size() <= most;
    } catch (IOException | IllegalArgumentException notWritable) {
      return false;
    }
  }

  private static int estimate(@Nullable Map<String, Object> headers) {
    if (headers == null) return 0;
    var bytes = 0;
    for (var header : headers.entrySet()) {
      bytes +=
          switch (header.getValue()) {
            case String text -> 3 * text.length();
            case byte[] array -> array.length;
            case Number _ -> 64;
            case null, default -> SURELY_FITS;
          };
      bytes += 64 + header.getKey().length();
    }
    return bytes;
  }

  void flush() {
    try {
      link.flush();
    } catch (IOException | AlreadyClosedException gone) {
      giveUp(gone);
    }
  }

  private void giveUp(Exception gone) {
    trouble = AmqpException.describe(gone);
    confirms.lose(new AmqpException("the connection was lost: " + trouble, gone));
    link.close();
  }

  /// Fails what is late. A broker that is silent without saying why is left.
  void sweep(long now) {
    confirms.sweep(now);
    var late = confirms.expire(now, this::late);
    if (late && blocked == null) link.close();
  }

  private AmqpException late() {
    return new AmqpException("the broker did not confirm in time: " + trouble(), null);
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  boolean isBlocked() {
    return blocked != null;
  }

  String trouble() {
    var reason = blocked;
    return reason == null ? trouble : "it takes no messages at the moment (" + reason + ")";
  }

  @Override
  public void handleBlocked(String reason) {
    blocked = reason;
  }

  @Override
  public void handleUnblocked() {
    blocked = null;
  }

  @Override
  public void close() {
    link.close();
    confirms.lose(new AmqpException("the connection was closed", null));
  }
}
