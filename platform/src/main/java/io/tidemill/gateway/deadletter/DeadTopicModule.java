package io.tidemill.gateway.deadletter;

import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.deadletter.CompositeSource;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledLetterStore;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.PublishedCheck;
import io.tidemill.deadletter.source.KafkaDeadLetters;
import io.tidemill.deadletter.source.TaskDeadLetters;
import io.tidemill.http.Response;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.inspect.DeadTopicReader;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisLock;
import io.tidemill.workflow.ExecutionStore;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/// The dead of contracts C1 and C2 put together: records in Kafka's topics of dead letters, and
/// tasks that failed for good.
public final class DeadTopicModule implements AutoCloseable {
  private final DeadTopicReader letters;
  private final KafkaPublisher publisher;
  private final PublishedCheck sent;
  private final HandledLetterStore handled;
  private final RedisLock turns;
  private final InstantSource clock;
  private final Map<String, DeadLetterSource> sources = new LinkedHashMap<>();

  /// @param retryTask lets a task begin again, as `POST /api/tasks/{id}/retry` does with this body
  public DeadTopicModule(
      KafkaConfig kafka,
      Redis redis,
      ExecutionStore tasks,
      BiFunction<String, byte[], Response> retryTask,
      InstantSource clock) {
    letters = new DeadTopicReader(kafka);
    publisher = new KafkaPublisher(kafka, "gateway-dead");
    sent = new PublishedCheck(kafka);
    handled = new HandledLetterStore(redis);
    turns = new RedisLock(redis);
    this.clock = clock;
    var deadTasks =
        new TaskDeadLetters(
            tasks, retryTask, new HandledNotes(HandledLetterStore.TASKS, handled, clock));
    sources.put(ExecutionNames.WORKFLOWS, records(ExecutionNames.WORKFLOWS));
    sources.put(
        ExecutionNames.TASKS, new CompositeSource(records(ExecutionNames.TASKS), deadTasks));
    sources.put(CrawlNames.REQUESTS, records(CrawlNames.REQUESTS));
    sources.put(CrawlNames.RESPONSES, records(CrawlNames.RESPONSES));
  }

  private DeadLetterSource records(String topic) {
    return new KafkaDeadLetters(
        topic, letters, publisher, sent, new HandledNotes(topic, handled, clock), turns);
  }

  /// By the name under which clients ask.
  public Map<String, DeadLetterSource> sources() {
    return Map.copyOf(sources);
  }

  @Override
  public void close() {
    letters.close();
    publisher.close();
    sent.close();
  }
}
