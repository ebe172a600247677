package io.tidemill.gateway.deadletter;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.inspect.DeadQueueReader;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.source.AmqpDeadLetters;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisLock;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/// The dead of contracts C4 and C5 put together: messages in AMQP's queues of dead letters.
public final class DeadQueueModule implements AutoCloseable {
  private final DeadQueueReader pages;
  private final DeadQueueReader collected;
  private final Map<String, DeadLetterSource> sources;

  /// @param publisher takes dead letters back to their queues
  public DeadQueueModule(
      AmqpConfig amqp, AmqpPublisher publisher, Redis redis, InstantSource clock) {
    var locks = new RedisLock(redis);
    var handled = new HandledDeadLetterStore(redis);
    pages =
        new DeadQueueReader(
            amqp, PageNames.DEAD, Set.of(PageNames.QUEUE, PageNames.GONE), publisher);
    collected =
        new DeadQueueReader(amqp, CollectedNames.DEAD, Set.of(CollectedNames.QUEUE), publisher);
    sources =
        Map.of(
            PageNames.QUEUE,
            new AmqpDeadLetters(
                PageNames.QUEUE, pages, locks, new HandledNotes(PageNames.QUEUE, handled, clock)),
            CollectedNames.QUEUE,
            new AmqpDeadLetters(
                CollectedNames.QUEUE,
                collected,
                locks,
                new HandledNotes(CollectedNames.QUEUE, handled, clock)));
  }

  /// By the name under which clients ask.
  public Map<String, DeadLetterSource> sources() {
    return sources;
  }

  @Override
  public void close() {
    pages.close();
    collected.close();
  }
}
