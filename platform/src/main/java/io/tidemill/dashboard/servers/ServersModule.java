package io.tidemill.dashboard.servers;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.inspect.QueueInspector;
import io.tidemill.analytics.Analytics;
import io.tidemill.http.Routes;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobsConfig;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.inspect.ClusterInspector;
import io.tidemill.kafka.inspect.TopicInspector;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisLock;
import io.tidemill.redis.stream.StreamInspector;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.search.query.PageSearch;
import io.tidemill.trace.MessageSamples;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The servers view and its clients, which connect on first use.
public final class ServersModule implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final String UNSET = "it is not configured here";

  /// The servers to inspect; one with an empty address is off.
  ///
  /// @param pages null when this process has no index
  /// @param analytics null when another process has the database
  public record Servers(
      Redis redis,
      KafkaConfig kafka,
      AmqpConfig amqp,
      S3Config blobs,
      @Nullable PageSearch pages,
      boolean hasVectors,
      @Nullable Analytics analytics) {}

  private final ClusterInspector cluster;
  private final TopicInspector topics;
  private final QueueInspector queues;
  private final ObjectStore blobs;
  private final ServerRoutes routes;

  public ServersModule(Servers servers, JobsConfig jobs, InstantSource clock) {
    var channels = new ServerChannels(jobs.names());
    cluster = new ClusterInspector(servers.kafka(), ServerChannels.topics(), ServerChannels.GROUPS);
    topics = new TopicInspector(servers.kafka());
    queues = new QueueInspector(servers.amqp());
    blobs = new ObjectStore(servers.blobs());
    var streams = new StreamInspector(servers.redis());
    var hasKafka = !servers.kafka().bootstrap().isEmpty();
    var hasAmqp = !servers.amqp().url().isEmpty();
    var examples =
        new MessageExamples(
            hasKafka ? topics : null,
            streams,
            new MessageSamples(servers.redis(), clock),
            new JobQueueInspector(servers.redis(), jobs),
            jobs.stream());
    routes =
        new ServerRoutes(
            new ServersInspector(reports(servers, channels, streams), LIMIT),
            channels,
            hasKafka ? topics : null,
            hasAmqp ? queues : null,
            streams,
            examples,
            new RedisLock(servers.redis()));
  }

  private Map<String, ServersInspector.Report> reports(
      Servers servers, ServerChannels channels, StreamInspector streams) {
    var reports = new LinkedHashMap<String, ServersInspector.Report>();
    reports.put(
        "kafka",
        servers.kafka().bootstrap().isEmpty()
            ? ServersInspector.off(UNSET)
            : out -> ServerReport.kafka(cluster.cluster(), servers.kafka(), out));
    reports.put(
        "amqp",
        servers.amqp().url().isEmpty()
            ? ServersInspector.off(UNSET)
            : out -> ServerReport.queues(queues, servers.amqp().queueNames(), out));
    reports.put(
        "redis", out -> ServerReport.redis(servers.redis(), channels.streams(), streams, out));
    reports.put(
        "s3",
        servers.blobs().endpoint().isEmpty()
            ? ServersInspector.off(UNSET)
            : out -> ServerReport.buckets(blobs.buckets(), servers.blobs().endpoint(), out));
    var pages = servers.pages();
    reports.put(
        "index",
        pages == null
            ? ServersInspector.off(UNSET)
            : out -> ServerReport.index(pages.stats(), out));
    reports.put(
        "vectors",
        pages == null || !servers.hasVectors()
            ? ServersInspector.off("there is no model for vectors here")
            : out -> ServerReport.vectors(pages.passageStats(), out));
    var analytics = servers.analytics();
    reports.put(
        "analytics",
        analytics == null
            ? ServersInspector.off("the collector's process has the database")
            : out -> {
              analytics.ping();
              out.put("detail", "answers");
            });
    return reports;
  }

  /// `/api/servers…` and `/api/contracts/examples`.
  public Routes routes() {
    return routes;
  }

  @Override
  public void close() {
    cluster.close();
    topics.close();
    queues.close();
    blobs.close();
  }
}
