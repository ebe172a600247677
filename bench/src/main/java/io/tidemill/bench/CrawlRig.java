package io.tidemill.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.config.Settings;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.contract.crawl.CrawlScope;
import io.tidemill.crawler.CrawlerRole;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.kafka.consumer.RecordAttempt;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.S3Config;
import io.tidemill.work.Settlement;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import redis.clients.jedis.Protocol.Command;

/// A crawler role, and clients of the two topics around it.
final class CrawlRig implements AutoCloseable {
  private static final InstantSource CLOCK = InstantSource.system();

  private final Redis redis;
  private final Metrics metrics = new Metrics();
  private final Traces traces;
  private final CrawlerRole role;
  private final KafkaPublisher publisher;
  private final KeyedConsumer responses;
  private final Map<String, CompletableFuture<CrawlResponse>> waiting = new ConcurrentHashMap<>();

  CrawlRig(Settings settings) {
    redis = new Redis(settings.section(RedisConfig.class));
    redis.call(Command.FLUSHALL);
    traces = new Traces(settings.section(ObserveConfig.class));
    role =
        new CrawlerRole(
            CrawlerRole.Config.of(settings),
            new CrawlerRole.Servers(
                redis,
                settings.section(KafkaConfig.class),
                settings.section(AmqpConfig.class),
                settings.section(S3Config.class)),
            traces,
            metrics.registry(),
            CLOCK);
    publisher = new KafkaPublisher(settings.section(KafkaConfig.class), "bench");
    responses =
        new KeyedConsumer(
            settings.section(KafkaConfig.class),
            new KeyedSettings("bench", List.of(CrawlNames.RESPONSES)),
            this::take,
            publisher,
            CLOCK,
            metrics.registry());
    responses.start();
    role.start();
  }

  private Settlement take(RecordAttempt attempt) {
    var id = attempt.record().header(CrawlNames.ID).map(bytes -> new String(bytes, UTF_8));
    var crawl = waiting.get(id.orElse(""));
    if (crawl == null) return Settlement.DONE;
    if (CrawlCodec.decodeResponse(attempt.record().value())
        instanceof Decoded.Message<CrawlResponse>(var response)) {
      crawl.complete(response);
    }
    return Settlement.DONE;
  }

  /// Crawls from a page on; returns when the response is there, and says how many were fetched.
  int crawl(String url, int pages) throws IOException, InterruptedException {
    var id = UUID.randomUUID().toString();
    var options =
        new CrawlOptions(
            pages, 50, List.of(), List.of(), CrawlScope.HOST, false, 0, 0, false, "", false, -1);
    var request =
        new CrawlRequest(id, "bench@example.org", CLOCK.instant().toString(), url, options);
    var answer = new CompletableFuture<CrawlResponse>();
    waiting.put(id, answer);
    var headers = new ArrayList<KafkaHeader>();
    CrawlCodec.encodeHeaders(request)
        .forEach((name, value) -> headers.add(new KafkaHeader(name, value)));
    publisher.publish(
        new OutgoingRecord(
            CrawlNames.REQUESTS, id.getBytes(UTF_8), headers, CrawlCodec.encodeRequest(request)));
    return switch (await(answer)) {
      case CrawlResponse.Success(var data) -> data.path("fetched").asInt(1);
      case CrawlResponse.Failure(var why) -> throw new IOException("the crawl failed: " + why);
    };
  }

  private static CrawlResponse await(CompletableFuture<CrawlResponse> answer)
      throws IOException, InterruptedException {
    try {
      return answer.get(10, TimeUnit.MINUTES);
    } catch (ExecutionException | TimeoutException lost) {
      throw new IOException("the crawl was not answered", lost);
    }
  }

  /// Seconds of CPU that the Redis server has used.
  double redisCpu() {
    return Redis.text(redis.call(Command.INFO, "cpu"))
        .lines()
        .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
        .sum();
  }

  @Override
  public void close() {
    role.stop();
    responses.stop();
    publisher.close();
    redis.close();
    traces.close();
    metrics.close();
  }
}
