package io.tidemill.dashboard.servers;

import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.amqp.QueueInfo;
import io.tidemill.broker.amqp.QueuePeek;
import io.tidemill.broker.kafka.ClusterInfo;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.broker.kafka.TopicReader;
import io.tidemill.broker.streams.StreamPeek;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.store.analytics.Analytics;
import io.tidemill.store.blob.BlobConfig;
import io.tidemill.store.blob.Blobs;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.Turns;
import io.tidemill.store.redis.WireSamples;
import io.tidemill.store.search.PageSearch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything about servers, put together; nothing is connected before somebody asks.
public final class ServersDesk implements AutoCloseable {
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
      BlobConfig blobs,
      @Nullable PageSearch pages,
      boolean hasVectors,
      @Nullable Analytics analytics) {}

  private final ClusterInfo cluster;
  private final TopicReader topics;
  private final QueueInfo depths;
  private final QueuePeek queues;
  private final Blobs blobs;
  private final List<Routes> routes;

  public ServersDesk(Servers servers, JobsConfig jobs, InstantSource clock) {
    var channels = new Channels(jobs.names());
    cluster = new ClusterInfo(servers.kafka(), Channels.topics(), Channels.GROUPS);
    topics = new TopicReader(servers.kafka());
    depths = new QueueInfo(servers.amqp());
    queues = new QueuePeek(servers.amqp());
    blobs = new Blobs(servers.blobs());
    var streams = new StreamPeek(servers.redis());
    var hasKafka = !servers.kafka().bootstrap().isEmpty();
    var hasAmqp = !servers.amqp().url().isEmpty();
    routes =
        List.of(
            new ServerRoutes(
                new ServerReports(reports(servers, channels, streams), LIMIT),
                channels,
                hasKafka ? topics : null,
                hasAmqp ? queues : null,
                streams,
                new Turns(servers.redis())),
            new ExampleRoutes(
                new Examples(
                    hasKafka ? topics : null,
                    streams,
                    new WireSamples(servers.redis(), clock),
                    new JobQueue(servers.redis(), jobs),
                    jobs.stream())));
  }

  private Map<String, ServerReports.Report> reports(
      Servers servers, Channels channels, StreamPeek streams) {
    var reports = new LinkedHashMap<String, ServerReports.Report>();
    reports.put(
        "kafka",
        servers.kafka().bootstrap().isEmpty()
            ? ServerReports.off(UNSET)
            : out -> Reported.kafka(cluster.look(), out));
    reports.put(
        "amqp",
        servers.amqp().url().isEmpty()
            ? ServerReports.off(UNSET)
            : out -> Reported.queues(depths, out));
    reports.put("redis", out -> Reported.redis(servers.redis(), channels.streams(), streams, out));
    reports.put(
        "s3",
        servers.blobs().endpoint().isEmpty()
            ? ServerReports.off(UNSET)
            : out -> Reported.buckets(blobs.buckets(), servers.blobs().endpoint(), out));
    var pages = servers.pages();
    reports.put(
        "index",
        pages == null ? ServerReports.off(UNSET) : out -> Reported.index(pages.stats(), out));
    reports.put(
        "vectors",
        pages == null || !servers.hasVectors()
            ? ServerReports.off("there is no model for vectors here")
            : out -> Reported.vectors(pages.passageStats(), out));
    var analytics = servers.analytics();
    reports.put(
        "analytics",
        analytics == null
            ? ServerReports.off("the collector's process has the database")
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
