package io.tidemill.http.server;

import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.service.HealthCheck;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// `/health/live`: the process responds. `/health/ready`: so do the servers that it depends on.
public final class HealthRoutes implements Routes {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration FRESH = Duration.ofMillis(500);

  /// The result of one check.
  ///
  /// @param status `up` or `down`
  public record Status(String status, String detail) {
    boolean isUp() {
      return status.equals("up");
    }
  }

  private record Report(Instant at, Map<String, Status> checks) {}

  private final Map<String, HealthCheck> checks;
  private final InstantSource clock;
  private @Nullable Report last;

  public HealthRoutes(Map<String, ? extends HealthCheck> checks, InstantSource clock) {
    this.checks = new TreeMap<>(checks);
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/health/live", _ -> Response.ok(Map.of("status", "up"))).open(),
        Route.get("/health/ready", _ -> ready()).open());
  }

  private Response ready() throws InterruptedException {
    var report = statuses(FRESH);
    var up = report.values().stream().allMatch(Status::isUp);
    var tree = new LinkedHashMap<String, Object>();
    tree.put("status", up ? "up" : "down");
    tree.put("checks", report);
    return Response.json(up ? 200 : 503, tree);
  }

  /// The results of all checks by name. One caller runs the checks, concurrent ones share the
  /// results.
  ///
  /// @param maxAge how old results may be
  public synchronized Map<String, Status> statuses(Duration maxAge) throws InterruptedException {
    var known = last;
    if (known != null && Duration.between(known.at(), clock.instant()).compareTo(maxAge) < 0) {
      return known.checks();
    }
    var found = run();
    last = new Report(clock.instant(), found); // as of now: callers that waited meanwhile use it
    return found;
  }

  private Map<String, Status> run() throws InterruptedException {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      var running = new TreeMap<String, Future<String>>();
      checks.forEach((name, check) -> running.put(name, threads.submit(check::check)));
      var giveUpAt = System.nanoTime() + LIMIT.toNanos();
      var found = new TreeMap<String, Status>();
      for (var each : running.entrySet()) {
        found.put(each.getKey(), status(each.getValue(), giveUpAt - System.nanoTime()));
      }
      return found;
    } finally {
      threads.shutdownNow(); // no close(): it would wait for a check that hangs
    }
  }

  private static Status status(Future<String> check, long nanos) throws InterruptedException {
    try {
      return new Status("up", check.get(Math.max(0, nanos), TimeUnit.NANOSECONDS));
    } catch (TimeoutException _) {
      return new Status("down", "no answer within " + LIMIT.toSeconds() + " s");
    } catch (ExecutionException failed) {
      return new Status("down", detail(failed.getCause()));
    }
  }

  /// The first line, without passwords that an address may carry.
  private static String detail(@Nullable Throwable cause) {
    if (cause == null || cause.getMessage() == null) return "failed";
    var line = cause.getMessage().lines().findFirst().orElse("failed");
    return line.replaceAll("//[^/@\\s]*@", "//***@");
  }
}
