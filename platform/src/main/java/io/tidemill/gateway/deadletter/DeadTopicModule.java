package io.tidemill.gateway.deadletter;

import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.deadletter.CompositeSource;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.PublishedCheck;
import io.tidemill.deadletter.source.KafkaDeadLetters;
import io.tidemill.deadletter.source.TaskDeadLetters;
import io.tidemill.deadletter.source.TaskRetry;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.inspect.DeadTopicReader;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisLock;
import io.tidemill.workflow.ExecutionStore;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// The dead of contracts C1 and C2 put together: records in Kafka's topics of dead letters, and
/// tasks that failed for good.
public final class DeadTopicModule implements AutoCloseable {
  private final DeadTopicReader reader;
  private final KafkaPublisher publisher;
  private final PublishedCheck sent;
  private final HandledDeadLetterStore handled;
  private final RedisLock locks;
  private final InstantSource clock;
  private final Map<String, DeadLetterSource> sources = new LinkedHashMap<>();

  public DeadTopicModule(
      KafkaConfig kafka,
      Redis redis,
      ExecutionStore tasks,
      TaskRetry retryTask,
      InstantSource clock) {
    reader = new DeadTopicReader(kafka);
    publisher = new KafkaPublisher(kafka, "gateway-dead");
    sent = new PublishedCheck(kafka);
    handled = new HandledDeadLetterStore(redis);
    locks = new RedisLock(redis);
    this.clock = clock;
    var deadTasks =
        new TaskDeadLetters(
            tasks, retryTask, new HandledNotes(HandledDeadLetterStore.TASKS, handled, clock));
    sources.put(ExecutionNames.WORKFLOWS, records(ExecutionNames.WORKFLOWS));
    sources.put(
        ExecutionNames.TASKS, new CompositeSource(records(ExecutionNames.TASKS), deadTasks));
    sources.put(CrawlNames.REQUESTS, records(CrawlNames.REQUESTS));
    sources.put(CrawlNames.RESPONSES, records(CrawlNames.RESPONSES));
  }

  private DeadLetterSource records(String topic) {
    return new KafkaDeadLetters(
        topic, reader, publisher, sent, new HandledNotes(topic, handled, clock), locks);
  }

  /// By the name under which clients ask.
  public Map<String, DeadLetterSource> sources() {
    return Map.copyOf(sources);
  }

  @Override
  public void close() {
    reader.close();
    publisher.close();
    sent.close();
  }
}
