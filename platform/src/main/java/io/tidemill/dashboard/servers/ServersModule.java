package io.tidemill.dashboard.servers;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.inspect.QueueInspector;
import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.analytics.Analytics;
import io.tidemill.http.Route;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything about servers, put together; nothing is connected before somebody asks.
public final class ServersModule implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final String UNSET = "it is not configured here";

  /// Whom there is to ask; an empty address means that there is none.
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
  private final QueueMeters depths;
  private final QueueInspector queues;
  private final ObjectStore blobs;
  private final List<Routes> routes;

  public ServersModule(Servers servers, JobsConfig jobs, InstantSource clock) {
    var channels = new ServerChannels(jobs.names());
    cluster = new ClusterInspector(servers.kafka(), ServerChannels.topics(), ServerChannels.GROUPS);
    topics = new TopicInspector(servers.kafka());
    depths = new QueueMeters(servers.amqp());
    queues = new QueueInspector(servers.amqp());
    blobs = new ObjectStore(servers.blobs());
    var streams = new StreamInspector(servers.redis());
    var hasKafka = !servers.kafka().bootstrap().isEmpty();
    var hasAmqp = !servers.amqp().url().isEmpty();
    routes =
        List.of(
            new ServerRoutes(
                new ServersInspector(reports(servers, channels, streams), LIMIT),
                channels,
                hasKafka ? topics : null,
                hasAmqp ? queues : null,
                streams,
                new RedisLock(servers.redis())),
            new ExampleRoutes(
                new MessageExamples(
                    hasKafka ? topics : null,
                    streams,
                    new MessageSamples(servers.redis(), clock),
                    new JobQueueInspector(servers.redis(), jobs),
                    jobs.stream())));
  }

  private Map<String, ServersInspector.Report> reports(
      Servers servers, ServerChannels channels, StreamInspector streams) {
    var reports = new LinkedHashMap<String, ServersInspector.Report>();
    reports.put(
        "kafka",
        servers.kafka().bootstrap().isEmpty()
            ? ServersInspector.off(UNSET)
            : out -> ServerReport.kafka(cluster.look(), out));
    reports.put(
        "amqp",
        servers.amqp().url().isEmpty()
            ? ServersInspector.off(UNSET)
            : out -> ServerReport.queues(depths, out));
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
    return () -> {
      var all = new ArrayList<Route>();
      for (var some : routes) all.addAll(some.routes());
      return all;
    };
  }

  @Override
  public void close() {
    cluster.close();
    topics.close();
    queues.close();
    depths.stop();
    blobs.close();
  }
}
