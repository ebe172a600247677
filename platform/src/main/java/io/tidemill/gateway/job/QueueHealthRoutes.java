package io.tidemill.gateway.job;

import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import java.time.InstantSource;
import java.util.List;

/// The state of the queue as the gateway that contract C3 comes from shows it: `/health`.
final class QueueHealthRoutes implements Routes {
  private final JobQueueInspector queue;
  private final JobsConfig config;
  private final String redisAddress;
  private final InstantSource clock;

  /// @param redisAddress without a password
  QueueHealthRoutes(
      JobQueueInspector queue, JobsConfig config, String redisAddress, InstantSource clock) {
    this.queue = queue;
    this.config = config;
    this.redisAddress = redisAddress;
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/health", this::show));
  }

  /// `GET /health`
  Response show(Request request) {
    var state = StoreRetry.answer(queue::inspect);
    var lag = state.inLine() + state.unread();
    var answer =
        Json.object()
            .put("ok", true)
            .put("redis_url", redisAddress)
            .put("queue_stream", config.stream())
            .put("worker_group", config.group())
            .put("stream_len", StoreRetry.answer(queue::entries));
    answer
        .putObject("backlog")
        .put("pending", state.pending())
        .put("lag", lag)
        .put("backlog", state.pending() + lag);
    return Response.ok(answer.put("ts", clock.millis()));
  }
}
