package io.tidemill.gateway;

import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisHealth;
import io.tidemill.redis.StoreRetry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// The state of the system in numbers, for `tidemill status`: `/api/status`.
public final class StatusRoutes implements Routes {
  private static final Logger log = LoggerFactory.getLogger(StatusRoutes.class);

  private final JobQueueInspector queue;
  private final DeadJobStore dead;
  private final RedisHealth health;
  private final List<String> roles;
  private final String version;
  private final Map<String, Report> reports;

  /// Writes one section.
  @FunctionalInterface
  public interface Report {
    void write(ObjectNode out);
  }

  public StatusRoutes(
      JobQueueInspector queue,
      DeadJobStore dead,
      RedisHealth health,
      List<String> roles,
      String version) {
    this(queue, dead, health, roles, version, Map.of());
  }

  /// @param reports further sections by name; one that fails is left out
  public StatusRoutes(
      JobQueueInspector queue,
      DeadJobStore dead,
      RedisHealth health,
      List<String> roles,
      String version,
      Map<String, Report> reports) {
    this.queue = queue;
    this.dead = dead;
    this.health = health;
    this.roles = List.copyOf(roles);
    this.version = version;
    this.reports = new LinkedHashMap<>(reports);
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/api/status", this::status));
  }

  /// `GET /api/status`
  Response status(Request request) {
    var depth = StoreRetry.answer(queue::depth);
    var answer = Json.object().put("version", version);
    var names = answer.putArray("roles");
    roles.forEach(names::add);
    answer
        .putObject("jobs")
        .put("waiting", depth.waiting())
        .put("running", depth.running())
        .put("dead", StoreRetry.answer(dead::count))
        .put("workers", depth.workers())
        .put("accepted", depth.accepted());
    answer.putObject("redis").put("memory_share", health.memoryShare());
    reports.forEach((name, report) -> write(answer, name, report));
    return Response.ok(answer);
  }

  // The rest is shown even while a broker is down.
  private static void write(ObjectNode answer, String name, Report report) {
    var part = Json.object();
    try {
      report.write(part);
      answer.set(name, part);
    } catch (RuntimeException unavailable) {
      log.debug("no status of {}: {}", name, unavailable.getMessage());
    }
  }
}
