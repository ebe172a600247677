package io.tidemill.gateway.crawl;

import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.kafka.KafkaException;
import io.tidemill.redis.RedisException;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes requests again whose gateway died between Redis and Kafka (C1.4).
public final class CrawlReconciler implements Service {
  private static final Logger log = LoggerFactory.getLogger(CrawlReconciler.class);
  private static final int AT_ONCE = 100;

  private final CrawlStore store;
  private final CrawlStarter starter;
  private final Duration doubtAfter;
  private final PeriodicTask rounds;

  public CrawlReconciler(CrawlStore store, CrawlStarter starter, CrawlsConfig config) {
    this.store = store;
    this.starter = starter;
    this.doubtAfter = config.doubtAfter();
    rounds = new PeriodicTask("crawl reconciler", doubtAfter.dividedBy(3), this::publishAll);
  }

  @Override
  public String name() {
    return rounds.name();
  }

  @Override
  public void start() {
    rounds.start();
  }

  @Override
  public void stop() {
    rounds.stop();
  }

  private void publishAll() {
    try {
      for (var id : store.inDoubt(AT_ONCE, doubtAfter)) publish(id);
    } catch (RedisException | KafkaException later) {
      log.debug("crawls in doubt: {}", later.getMessage());
    }
  }

  private void publish(String id) {
    if (starter.publishNoted(id)) log.info("crawl {} was in doubt and is published again", id);
  }
}
