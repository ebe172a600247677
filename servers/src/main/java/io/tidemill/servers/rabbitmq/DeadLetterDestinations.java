package io.tidemill.servers.rabbitmq;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.qpid.server.model.NamedAddressSpace;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.plugin.SystemNodeCreator;

/// Makes the dead-letter destinations of queues known to the broker: of stored ones before it looks
/// for expired messages, of new ones before they are declared.
public final class DeadLetterDestinations implements SystemNodeCreator {
  private static final Map<NamedAddressSpace, SystemNodeRegistry> REGISTRIES =
      Collections.synchronizedMap(new WeakHashMap<>());

  @Override
  public void register(SystemNodeRegistry registry) {
    var host = (NamedAddressSpace) registry.getVirtualHost();
    REGISTRIES.put(host, registry);
    for (Queue<?> queue : registry.getVirtualHost().getChildren(Queue.class)) {
      var arguments = QueueArguments.kept(queue);
      if (arguments == null) continue;
      add(host, queue.getName(), arguments);
      queue.addDeleteTask(deleted -> remove(host, deleted.getName()));
    }
  }

  @Override
  public String getType() {
    return "RABBITMQ_DEAD_LETTERS";
  }

  /// Does nothing for a queue without a dead-letter exchange.
  static void add(NamedAddressSpace host, String queue, QueueArguments arguments) {
    var registry = REGISTRIES.get(host);
    var exchange = arguments.deadLetterExchange();
    if (registry == null || exchange == null) return;
    registry.registerSystemNode(
        new DeadLetterDestination(host, queue, exchange, arguments.deadLetterKey()));
  }

  static void remove(NamedAddressSpace host, String queue) {
    var registry = REGISTRIES.get(host);
    if (registry != null) registry.removeSystemNode(DeadLetterDestination.nameFor(queue));
  }
}
