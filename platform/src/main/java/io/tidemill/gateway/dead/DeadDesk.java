package io.tidemill.gateway.dead;

import io.tidemill.broker.kafka.DeadTopics;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.broker.kafka.Publisher;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.http.Response;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.HandledLetters;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.Turns;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/// The dead of contracts C1 and C2 put together: records in Kafka's topics of dead letters, and
/// tasks that failed for good.
public final class DeadDesk implements AutoCloseable {
  private final DeadTopics letters;
  private final Publisher publisher;
  private final Sent sent;
  private final HandledLetters handled;
  private final Turns turns;
  private final InstantSource clock;
  private final Map<String, DeadSource> sources = new LinkedHashMap<>();

  /// @param retryTask lets a task begin again, as `POST /api/tasks/{id}/retry` does with this body
  public DeadDesk(
      KafkaConfig kafka,
      Redis redis,
      FlowStore tasks,
      BiFunction<String, byte[], Response> retryTask,
      InstantSource clock) {
    letters = new DeadTopics(kafka);
    publisher = new Publisher(kafka, "gateway-dead");
    sent = new Sent(kafka);
    handled = new HandledLetters(redis);
    turns = new Turns(redis);
    this.clock = clock;
    var deadTasks =
        new DeadTasks(tasks, retryTask, new Notes(HandledLetters.TASKS, handled, clock));
    sources.put(FlowNames.WORKFLOWS, records(FlowNames.WORKFLOWS));
    sources.put(FlowNames.TASKS, new DeadBoth(records(FlowNames.TASKS), deadTasks));
    sources.put(CrawlNames.REQUESTS, records(CrawlNames.REQUESTS));
    sources.put(CrawlNames.RESPONSES, records(CrawlNames.RESPONSES));
  }

  private DeadSource records(String topic) {
    return new DeadRecords(
        topic, letters, publisher, sent, new Notes(topic, handled, clock), turns);
  }

  /// By the name under which clients ask.
  public Map<String, DeadSource> sources() {
    return Map.copyOf(sources);
  }

  @Override
  public void close() {
    letters.close();
    publisher.close();
    sent.close();
  }
}
