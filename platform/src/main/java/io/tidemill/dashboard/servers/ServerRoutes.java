package io.tidemill.dashboard.servers;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.inspect.QueueInspector;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.inspect.TopicInspector;
import io.tidemill.redis.DistributedLock;
import io.tidemill.redis.RedisLock;
import io.tidemill.redis.StoreRetry;
import io.tidemill.redis.stream.StreamInspector;
import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The servers, single messages in them, and an example of each message: `/api/servers…` and
/// `/api/contracts/examples`. Reading changes nothing.
final class ServerRoutes implements Routes {
  private static final Logger log = LoggerFactory.getLogger(ServerRoutes.class);
  private static final int LIMIT = 20;
  private static final int LIMIT_MOST = 100;
  private static final int LONGEST_NUMBER = 19;
  private static final int MOST_PARTITIONS = 100_000;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration LEASE = Duration.ofSeconds(15);

  private final ServersInspector servers;
  private final ServerChannels channels;
  private final @Nullable TopicInspector topics;
  private final @Nullable QueueInspector queues;
  private final StreamInspector streams;
  private final MessageExamples examples;
  private final DistributedLock locks;

  /// @param topics null when there is no Kafka here
  /// @param queues null when there is no AMQP broker here
  /// @param locks a peek holds the messages of a queue, so gateways take turns
  ServerRoutes(
      ServersInspector servers,
      ServerChannels channels,
      @Nullable TopicInspector topics,
      @Nullable QueueInspector queues,
      StreamInspector streams,
      MessageExamples examples,
      RedisLock locks) {
    this.servers = servers;
    this.channels = channels;
    this.topics = topics;
    this.queues = queues;
    this.streams = streams;
    this.examples = examples;
    this.locks = new DistributedLock(locks, PATIENCE, LEASE);
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/servers", _ -> Response.ok(servers.inspect())),
        Route.get("/api/servers/kafka/{topic}", request -> checked(request, this::topic)),
        Route.get("/api/servers/amqp/{queue}", request -> checked(request, this::queue)),
        Route.get("/api/servers/redis/{stream}", request -> checked(request, this::stream)),
        Route.get("/api/contracts/examples", _ -> examples()));
  }

  private static Response checked(Request request, Function<Request, Response> handler) {
    try {
      return handler.apply(request);
    } catch (KafkaException silent) {
      log.warn("{}", silent.getMessage());
      throw new Unavailable("Kafka does not answer", RETRY_AFTER, silent);
    } catch (AmqpException silent) {
      log.warn("{}", silent.getMessage());
      throw new Unavailable("the AMQP broker does not answer", RETRY_AFTER, silent);
    }
  }

  /// `GET /api/servers/kafka/{topic}?partition=&from=&limit=`
  Response topic(Request request) {
    var topic = request.pathParam("topic");
    if (topics == null || !ServerChannels.topics().contains(topic)) return unknown("topic");
    var parameters = new Parameters(request);
    var limit = limit(parameters);
    var partition = parameters.number("partition", -1, 0, MOST_PARTITIONS);
    var from = parameters.text("from", LONGEST_NUMBER);
    if (from.isEmpty()) {
      var newest = topics.newest(topic, partition < 0 ? null : partition, limit);
      return Response.ok(MessageView.records(newest));
    }
    if (!from.matches("[0-9]{1,18}")) throw new Parameters.Wrong("from", "an offset");
    if (partition < 0) throw new Parameters.Wrong("partition", "given together with from");
    return topics
        .from(topic, partition, Long.parseLong(from), limit)
        .<Response>map(page -> {
          var answer = MessageView.records(page.records());
          if (page.next() != null) answer.put("next", String.valueOf(page.next()));
          return Response.ok(answer);
        })
        .orElseGet(() -> unknown("partition"));
  }

  private static int limit(Parameters parameters) {
    return parameters.number("limit", LIMIT, 1, LIMIT_MOST);
  }

  /// `GET /api/servers/amqp/{queue}?limit=`, the oldest first
  Response queue(Request request) {
    var queue = request.pathParam("queue");
    var inspector = queues;
    if (inspector == null || !ServerChannels.queues().containsKey(queue)) return unknown("queue");
    var limit = limit(new Parameters(request));
    var objection = inspector.objection(queue);
    if (objection.isPresent()) return Response.problem(409, objection.get());
    var peek =
        locks.answer(
            ServerChannels.lock(queue),
            "others look at " + queue,
            () -> inspector.oldest(queue, limit));
    return Response.ok(MessageView.deliveries(peek.messages()).put("total", peek.total()));
  }

  /// `GET /api/servers/redis/{stream}?before=&limit=`, the newest first
  Response stream(Request request) {
    var stream = request.pathParam("stream");
    if (!channels.isStream(stream)) return unknown("stream");
    var parameters = new Parameters(request);
    var limit = limit(parameters);
    var before = parameters.text("before", 2 * LONGEST_NUMBER + 3);
    if (!before.isEmpty() && !before.matches("[0-9]{1,19}-[0-9]{1,19}")) {
      throw new Parameters.Wrong("before", "the id of an entry, such as 1700000000000-0");
    }
    var from = before.isEmpty() ? null : before;
    return StoreRetry.answer(() -> streams.newest(stream, from, limit))
        .<Response>map(page -> {
          var answer = MessageView.entries(page.entries());
          if (page.next() != null) answer.put("next", page.next());
          return Response.ok(answer);
        })
        .orElseGet(() ->
            channels.streams().contains(stream)
                ? Response.ok(MessageView.entries(List.of())) // created with its first entry
                : unknown("stream"));
  }

  private Response examples() {
    var answer = Json.object();
    answer.putArray("examples").addAll(examples.newest());
    return Response.ok(answer);
  }

  private static Response unknown(String what) {
    return Response.problem(404, "there is no such %s of ours".formatted(what));
  }
}
