package io.tidemill.servers.rabbitmq;

import java.util.Map;
import org.apache.qpid.server.exchange.DestinationReferrer;
import org.apache.qpid.server.message.InstanceProperties;
import org.apache.qpid.server.message.MessageDestination;
import org.apache.qpid.server.message.MessageSender;
import org.apache.qpid.server.message.RoutingResult;
import org.apache.qpid.server.message.ServerMessage;
import org.apache.qpid.server.model.NamedAddressSpace;
import org.apache.qpid.server.model.PublishingLink;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.security.SecurityToken;
import org.apache.qpid.server.store.StorableMessageMetaData;
import org.jspecify.annotations.Nullable;

/// Where the broker sends what a queue rejects or lets expire: through the queue's dead-letter
/// exchange, with a record of the death (`x-death`).
///
/// @param key of the dead message; null for the one that it came with
record DeadLetterDestination(
    NamedAddressSpace host, String queue, String exchange, @Nullable String key)
    implements MessageDestination {
  private static final String PREFIX = "$dlx/";

  static String nameFor(String queue) {
    return PREFIX + queue;
  }

  @Override
  public String getName() {
    return nameFor(queue);
  }

  @Override
  public NamedAddressSpace getAddressSpace() {
    return host;
  }

  @Override
  public <M extends ServerMessage<? extends StorableMessageMetaData>> RoutingResult<M> route(
      M message, String routingKey, InstanceProperties properties) {
    // Deleting a queue drops its messages.
    if (host.getAttainedMessageSource(queue) instanceof Queue<?> source && !source.isDeleted()) {
      return new DeadLettering<>(this, message);
    }
    return new RoutingResult<>(message);
  }

  /// Null when the exchange does not exist (any more).
  @Nullable MessageDestination target() {
    return exchange.isEmpty()
        ? host.getDefaultDestination()
        : host.getAttainedMessageDestination(exchange, false);
  }

  @Override
  public boolean isDurable() {
    return true;
  }

  @Override
  public @Nullable MessageDestination getAlternateBindingDestination() {
    return null;
  }

  @Override
  public void authorisePublish(SecurityToken token, Map<String, Object> arguments) {
    throw new UnsupportedOperationException(getName() + " takes no messages of clients");
  }

  @Override
  public void linkAdded(MessageSender sender, PublishingLink link) {}

  @Override
  public void linkRemoved(MessageSender sender, PublishingLink link) {}

  @Override
  public void addReference(DestinationReferrer referrer) {}

  @Override
  public void removeReference(DestinationReferrer referrer) {}
}
