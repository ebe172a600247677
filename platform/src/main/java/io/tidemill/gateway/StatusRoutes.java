package io.tidemill.gateway;

import io.tidemill.contract.Json;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.RedisHealth;
import java.util.List;

/// How things stand, for `tidemill status`: `/api/status`.
public final class StatusRoutes implements Routes {
  private final JobQueue queue;
  private final DeadJobs dead;
  private final RedisHealth health;
  private final List<String> roles;
  private final String version;

  public StatusRoutes(
      JobQueue queue, DeadJobs dead, RedisHealth health, List<String> roles, String version) {
    this.queue = queue;
    this.dead = dead;
    this.health = health;
    this.roles = List.copyOf(roles);
    this.version = version;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/api/status", this::status));
  }

  /// `GET /api/status`
  Response status(Request request) {
    var depth = Stored.answer(queue::depth);
    var answer = Json.object().put("version", version);
    var names = answer.putArray("roles");
    roles.forEach(names::add);
    answer
        .putObject("jobs")
        .put("waiting", depth.waiting())
        .put("running", depth.running())
        .put("dead", Stored.answer(dead::count))
        .put("workers", depth.workers())
        .put("accepted", depth.accepted());
    answer.putObject("redis").put("memory_share", health.memoryShare());
    return Response.ok(answer);
  }
}
