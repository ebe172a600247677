package io.tidemill.servers.rabbitmq;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.qpid.server.message.InstanceProperties;
import org.apache.qpid.server.message.MessageInstance;
import org.apache.qpid.server.message.RoutingResult;
import org.apache.qpid.server.message.ServerMessage;
import org.apache.qpid.server.protocol.v0_8.AMQMessage;
import org.apache.qpid.server.protocol.v0_8.AMQShortString;
import org.apache.qpid.server.protocol.v0_8.FieldTable;
import org.apache.qpid.server.protocol.v0_8.MessageMetaData;
import org.apache.qpid.server.protocol.v0_8.transport.BasicContentHeaderProperties;
import org.apache.qpid.server.protocol.v0_8.transport.ContentHeaderBody;
import org.apache.qpid.server.protocol.v0_8.transport.MessagePublishInfo;
import org.apache.qpid.server.queue.BaseQueue;
import org.apache.qpid.server.store.StorableMessageMetaData;
import org.apache.qpid.server.txn.ServerTransaction;
import org.apache.qpid.server.util.Action;

/// One dead message on its way to its exchange: a copy with the record of its death and without its
/// expiration, written in the transaction that takes the original off its queue.
final class DeadLettering<M extends ServerMessage<? extends StorableMessageMetaData>>
    extends RoutingResult<M> {
  private static final String DEATHS = "x-death";
  private static final String EXPIRED = "expired";
  private static final String REJECTED = "rejected";
  private static final ScopedValue<String> REASON = ScopedValue.newInstance();

  private final DeadLetterDestination destination;
  private final M dead;
  private final String reason;

  DeadLettering(DeadLetterDestination destination, M dead) {
    super(dead);
    this.destination = destination;
    this.dead = dead;
    reason = REASON.orElse(EXPIRED);
  }

  /// What dies within the body was rejected, even when its time was over, too.
  static void rejecting(Runnable body) {
    ScopedValue.where(REASON, REJECTED).run(body);
  }

  // The broker leaves out queues where the original would expire at once; the copy would not.
  @Override
  public void filter(Predicate<BaseQueue> predicate) {}

  @Override
  public int send(ServerTransaction transaction, Action<? super MessageInstance> afterwards) {
    var target = destination.target();
    if (target == null || !(dead instanceof AMQMessage message)) return 0;
    var key = Objects.requireNonNullElseGet(destination.key(), dead::getInitialRoutingAddress);
    var deaths = deaths(message);
    var copy = copy(message, key, deaths);
    try (var _ = copy.newReference()) {
      var routed = target.route(copy, key, InstanceProperties.EMPTY);
      routed.filter(queue -> !isCycle(queue.getName(), deaths));
      return routed.send(transaction, afterwards);
    }
  }

  // A message that comes back to a queue without anybody having rejected it would go round for
  // ever.
  private static boolean isCycle(String queue, List<Map<String, Object>> deaths) {
    for (var death : deaths) {
      if (REJECTED.equals(death.get("reason"))) return false;
      if (queue.equals(death.get("queue"))) return true;
    }
    return false;
  }

  private AMQMessage copy(AMQMessage message, String key, List<Map<String, Object>> deaths) {
    var store = destination.host().getMessageStore();
    var info =
        new MessagePublishInfo(
            AMQShortString.valueOf(destination.exchange()),
            false,
            false,
            AMQShortString.valueOf(key));
    var header = new ContentHeaderBody(properties(message, deaths), message.getSize());
    var handle = store.addMessage(new MessageMetaData(info, header, System.currentTimeMillis()));
    if (message.getSize() > 0) {
      try (var content = message.getContent()) {
        handle.addContent(content);
      }
    }
    return new AMQMessage(handle.allContentAdded());
  }

  private BasicContentHeaderProperties properties(
      AMQMessage message, List<Map<String, Object>> deaths) {
    var sent = message.getContentHeaderBody().getProperties();
    var headers = new HashMap<>(sent.getHeadersAsMap());
    headers.put(DEATHS, deaths);
    headers.putIfAbsent("x-first-death-queue", destination.queue());
    headers.putIfAbsent("x-first-death-reason", reason);
    headers.putIfAbsent("x-first-death-exchange", exchange(message));
    var copied = new BasicContentHeaderProperties(sent);
    copied.setExpiration(0);
    copied.setHeaders(FieldTable.convertToFieldTable(headers));
    return copied;
  }

  // The latest death first; one of the same queue for the same reason is counted.
  private List<Map<String, Object>> deaths(AMQMessage message) {
    var earlier = earlierDeaths(message);
    var same = earlier.stream().filter(this::isSame).findFirst();
    earlier.removeIf(this::isSame);
    var death = same.orElseGet(() -> firstDeath(message));
    death.put("count", same.isPresent() && death.get("count") instanceof Long n ? n + 1 : 1L);
    earlier.addFirst(death);
    return earlier;
  }

  private boolean isSame(Map<String, Object> death) {
    return destination.queue().equals(death.get("queue")) && reason.equals(death.get("reason"));
  }

  @SuppressWarnings("unchecked") // tables have text keys
  private static List<Map<String, Object>> earlierDeaths(AMQMessage message) {
    var deaths = new ArrayList<Map<String, Object>>();
    var header = message.getContentHeaderBody().getProperties().getHeader(DEATHS);
    if (header instanceof Iterable<?> tables) {
      for (var table : tables) {
        if (table instanceof FieldTable fields) {
          deaths.add(new LinkedHashMap<>(FieldTable.convertToMap(fields)));
        } else if (table instanceof Map<?, ?> map) {
          deaths.add(new LinkedHashMap<>((Map<String, Object>) map));
        }
      }
    }
    deaths.forEach(death -> death.computeIfPresent("time", (_, time) -> timestamp(time)));
    return deaths;
  }

  private Map<String, Object> firstDeath(AMQMessage message) {
    var death = new LinkedHashMap<String, Object>();
    death.put("reason", reason);
    death.put("queue", destination.queue());
    death.put("time", timestamp(System.currentTimeMillis() / 1000));
    death.put("exchange", exchange(message));
    death.put("routing-keys", List.of(message.getInitialRoutingAddress()));
    if (message.getContentHeaderBody().getProperties() instanceof RelativeExpiration sent) {
      death.put("original-expiration", String.valueOf(sent.timeToLive()));
    }
    return death;
  }

  // The broker writes a date's milliseconds, where clients expect seconds.
  private static Object timestamp(Object seconds) {
    return seconds instanceof Long count ? Date.from(Instant.ofEpochMilli(count)) : seconds;
  }

  private static String exchange(AMQMessage message) {
    return Objects.requireNonNullElse(message.getTo(), "");
  }
}
