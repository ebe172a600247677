package io.tidemill.fetch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.fetch.connection.FetchFailure;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Counts fetches by how they ended: a handful of labels, never a URL.
final class FetchMeters {
  private static final int CLASSES = 6;

  private final Counter[] answers = new Counter[CLASSES];
  private final Map<FetchFailure, Counter> failures = new EnumMap<>(FetchFailure.class);
  private final Counter wire;
  private final Counter decoded;
  private final Counter reused;
  private final Timer duration;

  FetchMeters(MeterRegistry metrics) {
    for (int i = 1; i < CLASSES; i++) answers[i] = outcome(metrics, i + "xx");
    answers[0] = outcome(metrics, "other");
    for (var kind : FetchFailure.values()) failures.put(kind, outcome(metrics, kind.label()));
    wire = bytes(metrics, "wire");
    decoded = bytes(metrics, "decoded");
    reused =
        Counter.builder("fetch.connections.reused")
            .description("Requests sent over a connection that was there")
            .register(metrics);
    duration =
        Timer.builder("fetch.duration")
            .description("How long fetches took, redirects and body included")
            .register(metrics);
  }

  private static Counter outcome(MeterRegistry metrics, String outcome) {
    return Counter.builder("fetch.fetches")
        .description("Fetches by how they ended")
        .tag("outcome", outcome)
        .register(metrics);
  }

  private static Counter bytes(MeterRegistry metrics, String form) {
    return Counter.builder("fetch.bytes")
        .description("Bytes of bodies, as sent and unpacked")
        .baseUnit("bytes")
        .tag("form", form)
        .register(metrics);
  }

  void reused() {
    reused.increment();
  }

  void ended(FetchResult fetched, long nanos) {
    duration.record(nanos, TimeUnit.NANOSECONDS);
    switch (fetched) {
      case FetchResult.Answer answer -> {
        var group = answer.status() / 100;
        answers[group < CLASSES ? group : 0].increment();
        wire.increment((double) answer.wireBytes());
        decoded.increment(answer.body().length);
      }
      case FetchResult.Failed failed -> {
        var counter = failures.get(failed.kind());
        if (counter != null) counter.increment();
      }
    }
  }
}
