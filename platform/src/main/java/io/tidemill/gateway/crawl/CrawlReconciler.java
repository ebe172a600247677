package io.tidemill.gateway.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.crawl.CrawlStarts;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.redis.RedisException;
import io.tidemill.service.Rounds;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes crawls again whose gateway died between Redis and Kafka (C1.4).
public final class CrawlReconciler implements Service {
  private static final Logger log = LoggerFactory.getLogger(CrawlReconciler.class);
  private static final int AT_ONCE = 100;

  private final CrawlStore store;
  private final KafkaPublisher publisher;
  private final Duration doubtAfter;
  private final Rounds rounds;

  public CrawlReconciler(CrawlStore store, KafkaPublisher publisher, CrawlsConfig config) {
    this.store = store;
    this.publisher = publisher;
    this.doubtAfter = config.doubtAfter();
    rounds = new Rounds("crawl reconciler", doubtAfter.dividedBy(3), this::look);
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

  private void look() {
    try {
      for (var id : store.inDoubt(AT_ONCE, doubtAfter)) publish(id);
    } catch (RedisException | KafkaException later) {
      log.debug("crawls in doubt: {}", later.getMessage());
    }
  }

  private void publish(String id) {
    var facts = store.facts(id);
    var status = store.owner(id).flatMap(store::find).map(Crawl::status).orElse(CrawlStatus.FAILED);
    if (!status.isTerminal()) {
      var value = Json.bytes(Json.object().put("url", facts.getOrDefault("url", "")));
      publisher.publish(CrawlStarts.record(id, headers(facts), value));
      log.info("crawl {} was in doubt and is published again", id);
    }
    store.published(id);
  }

  private static Map<String, byte[]> headers(Map<String, String> facts) {
    var headers = new LinkedHashMap<String, byte[]>();
    CrawlStore.headers(facts).forEach((name, value) -> headers.put(name, value.getBytes(UTF_8)));
    return headers;
  }
}
