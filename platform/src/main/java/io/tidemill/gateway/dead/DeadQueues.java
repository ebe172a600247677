package io.tidemill.gateway.dead;

import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.amqp.DeadQueue;
import io.tidemill.broker.amqp.Publisher;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.store.redis.HandledLetters;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.Turns;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/// The dead of contracts C4 and C5 put together: messages in AMQP's queues of dead letters.
public final class DeadQueues implements AutoCloseable {
  private final DeadQueue pages;
  private final DeadQueue collected;
  private final Map<String, DeadSource> sources;

  /// @param publisher takes letters back to their queues
  public DeadQueues(AmqpConfig amqp, Publisher publisher, Redis redis, InstantSource clock) {
    var turns = new Turns(redis);
    var handled = new HandledLetters(redis);
    pages = new DeadQueue(amqp, PageNames.DEAD, Set.of(PageNames.QUEUE, PageNames.GONE), publisher);
    collected = new DeadQueue(amqp, CollectedNames.DEAD, Set.of(CollectedNames.QUEUE), publisher);
    sources =
        Map.of(
            PageNames.QUEUE,
            new DeadMessages(
                PageNames.QUEUE, pages, turns, new Notes(PageNames.QUEUE, handled, clock)),
            CollectedNames.QUEUE,
            new DeadMessages(
                CollectedNames.QUEUE,
                collected,
                turns,
                new Notes(CollectedNames.QUEUE, handled, clock)));
  }

  /// By the name under which clients ask.
  public Map<String, DeadSource> sources() {
    return sources;
  }

  @Override
  public void close() {
    pages.close();
    collected.close();
  }
}
