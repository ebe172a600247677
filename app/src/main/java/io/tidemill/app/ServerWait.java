package io.tidemill.app;

import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HealthRoutes;
import io.tidemill.http.server.HttpServer;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.StopSignal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for servers that are away when a process starts. Each gets one line in the log; meanwhile
/// the process answers over HTTP that it is alive and not ready.
final class ServerWait {
  private static final Logger log = LoggerFactory.getLogger(ServerWait.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Settings settings;
  private final List<ServerProbe> servers;
  private final StopSignal signal;
  private final boolean startsLocal;
  // Why each server is away, by name.
  private final Map<String, String> away = new ConcurrentHashMap<>();

  /// @param startsLocal whether this process starts a server where no address is set
  ServerWait(Settings settings, List<ServerProbe> servers, boolean startsLocal, StopSignal signal) {
    this.settings = settings;
    this.servers = List.copyOf(servers);
    this.startsLocal = startsLocal;
    this.signal = signal;
  }

  /// Returns when all servers have answered, or at the stop.
  ///
  /// @return where to listen from now on: a port that it chose stays the same
  /// @throws SettingsException when a server is there and does not let us in
  HttpConfig await(HttpConfig http, InstantSource clock) {
    probe(servers);
    if (away.isEmpty()) return http;
    try (var metrics = new Metrics();
        var traces = new Traces(settings.section(ObserveConfig.class))) {
      var health =
          new HttpServer(
              http,
              settings.section(ApiConfig.class),
              List.of(new HealthRoutes(checks(), clock)),
              metrics,
              traces,
              clock);
      health.start();
      try {
        announce(health.url());
        awaitAll();
        return http.withPort(health.port());
      } finally {
        health.stop();
      }
    }
  }

  private void announce(String url) {
    for (var server : servers) {
      var why = away.get(server.name());
      if (why == null) continue;
      log.warn(
          "waits for {} at {}: {} ({} is from {}{}); not ready until it answers, see {}/health/ready",
          server.name(),
          server.place(),
          why,
          server.key(),
          settings.entry(server.key()).source(),
          startsLocal ? ", without it one is started here" : "",
          url);
    }
  }

  private void awaitAll() {
    while (!away.isEmpty() && !signal.isStopping()) {
      signal.rest(PAUSE);
      if (signal.isStopping()) return;
      var missing = servers.stream().filter(server -> away.containsKey(server.name())).toList();
      probe(missing);
      for (var server : missing) {
        if (!away.containsKey(server.name())) {
          log.info("{} answers at {}", server.name(), server.place());
        }
      }
    }
  }

  private Map<String, HealthCheck> checks() {
    var checks = new LinkedHashMap<String, HealthCheck>();
    for (var server : servers) {
      checks.put(
          server.name(),
          () -> {
            var why = away.get(server.name());
            if (why == null) return "answers";
            throw new IllegalStateException("waits for %s: %s".formatted(server.place(), why));
          });
    }
    return checks;
  }

  // On platform threads, like all that loads the clients' classes side by side.
  private void probe(List<ServerProbe> some) {
    var asked = new ArrayList<CompletableFuture<Void>>();
    for (var server : some) {
      asked.add(
          CompletableFuture.runAsync(
              () -> ask(server),
              task -> Thread.ofPlatform().daemon().name("ask-" + server.name()).start(task)));
    }
    try {
      CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  // Whatever a client throws, a server that is away is asked again.
  @SuppressWarnings("CatchingUnchecked")
  private void ask(ServerProbe server) {
    try {
      server.question().ask();
      away.remove(server.name());
    } catch (SettingsException refused) {
      throw refused;
    } catch (Exception failed) {
      away.put(server.name(), ServerProbe.reason(failed));
    }
  }
}
