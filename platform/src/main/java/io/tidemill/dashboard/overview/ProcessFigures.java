package io.tidemill.dashboard.overview;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The meters of a process that the overview shows, named `meter:tag:tag` after their tags' values.
final class ProcessFigures {
  private static final Map<String, List<String>> WANTED =
      Map.ofEntries(
          Map.entry("crawler.visits", List.of()),
          Map.entry("crawler.slots", List.of()),
          Map.entry("crawler.pages", List.of("outcome")),
          Map.entry("worker.jobs.running", List.of()),
          Map.entry("worker.slots", List.of()),
          Map.entry("worker.deliveries", List.of("end")),
          Map.entry("flow.running", List.of("kind")),
          Map.entry("flow.slots", List.of("kind")),
          Map.entry("kafka.consumer.running", List.of("group")),
          Map.entry("kafka.consumer.held", List.of("group")),
          Map.entry("kafka.consumer.paused", List.of("group")),
          Map.entry("kafka.consumer.lag", List.of("group", "topic")),
          Map.entry("kafka.consumer.handled", List.of("group", "outcome")),
          Map.entry("amqp.delivered", List.of("queue")),
          Map.entry("amqp.settled", List.of("queue", "as")),
          Map.entry("amqp.published.by.key", List.of("key")),
          Map.entry("amqp.consumer.unsettled", List.of("queue")));

  private ProcessFigures() {}

  /// The name of a figure.
  static String name(String meter, String... tags) {
    return tags.length == 0 ? meter : meter + ":" + String.join(":", tags);
  }

  static Map<String, Double> of(MeterRegistry registry) {
    var found = new HashMap<String, Double>();
    for (var meter : registry.getMeters()) {
      var id = meter.getId();
      var wanted = WANTED.get(id.getName());
      if (wanted == null) continue;
      var tags = new ArrayList<String>();
      for (var tag : wanted) tags.add(String.valueOf(id.getTag(tag)));
      found.merge(name(id.getName(), tags.toArray(String[]::new)), value(meter), Double::sum);
    }
    return found;
  }

  private static double value(Meter meter) {
    for (var measured : meter.measure()) {
      if (measured.getStatistic() == Statistic.COUNT
          || measured.getStatistic() == Statistic.VALUE) {
        return Double.isFinite(measured.getValue()) ? measured.getValue() : 0;
      }
    }
    return 0;
  }
}
