package io.tidemill.servers.rabbitmq;

import java.util.Map;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Protocol;
import org.apache.qpid.server.model.Transport;
import org.apache.qpid.server.model.port.AmqpPort;
import org.apache.qpid.server.plugin.ProtocolEngineCreator;
import org.apache.qpid.server.protocol.v0_8.ProtocolEngineCreator_0_9_1;
import org.apache.qpid.server.transport.AggregateTicker;
import org.apache.qpid.server.transport.ProtocolEngine;
import org.apache.qpid.server.transport.ServerNetworkConnection;

/// AMQP 0-9-1 as RabbitMQ speaks it; takes the place of the broker's own.
public final class RabbitProtocol implements ProtocolEngineCreator {
  /// What clients look for in the server's properties before they use it.
  public static final Map<String, Boolean> CAPABILITIES =
      Map.of(
          "publisher_confirms", true,
          "basic.nack", true,
          "consumer_cancel_notify", true,
          "consumer_priorities", true,
          "authentication_failure_close", true,
          "exchange_exchange_bindings", false,
          "connection.blocked", false,
          "per_consumer_qos", false,
          "direct_reply_to", false);

  private final ProtocolEngineCreator broker = new ProtocolEngineCreator_0_9_1();

  /// Switches off what this package replaces; to be called before the broker's first start.
  public static void install() {
    System.setProperty("qpid.plugin.disabled:protocolenginecreator.AMQP_0_9_1", "true");
    System.setProperty("qpid.plugin.disabled:messagemetadatatype.v0_8", "true");
  }

  @Override
  public Protocol getVersion() {
    return broker.getVersion();
  }

  @Override
  public byte[] getHeaderIdentifier() {
    return broker.getHeaderIdentifier();
  }

  @Override
  public byte[] getSuggestedAlternativeHeader() {
    return broker.getSuggestedAlternativeHeader();
  }

  @Override
  public ProtocolEngine newProtocolEngine(
      Broker<?> broker,
      ServerNetworkConnection network,
      AmqpPort<?> port,
      Transport transport,
      long id,
      AggregateTicker ticker) {
    var connection = new RabbitConnection(broker, network, port, transport, id, ticker);
    connection.create();
    return connection;
  }

  @Override
  public String getType() {
    return "RABBITMQ_0_9_1";
  }
}
