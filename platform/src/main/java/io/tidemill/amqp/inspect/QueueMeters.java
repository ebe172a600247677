package io.tidemill.amqp.inspect;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpException;
import io.tidemill.observe.Reading;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Samples the depths of queues every few seconds, for the metrics and the overview.
public final class QueueMeters implements Service {
  private static final Logger log = LoggerFactory.getLogger(QueueMeters.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /// The state of a queue.
  ///
  /// @param nonEmptyFor time since the queue was last seen empty; null when it is empty, or never
  ///   was since this process started
  public record QueueState(long messages, long consumers, @Nullable Duration nonEmptyFor) {}

  private final QueueInspector inspector;
  private final Duration every;
  private final List<String> queues;
  private final Map<String, QueueInspector.Depth> latest = new ConcurrentHashMap<>();
  private final Map<String, Long> emptyAt = new ConcurrentHashMap<>();
  private final Thread sampler = Thread.ofVirtual().name("amqp-depths").unstarted(this::run);
  private volatile boolean stopping;
  private volatile boolean isAsking;
  private volatile long askedAt;
  private volatile boolean isSampled;
  private volatile String problem = "";

  public QueueMeters(AmqpConfig config, List<String> queues, MeterRegistry metrics) {
    this(config, queues, metrics, EVERY);
  }

  public QueueMeters(
      AmqpConfig config, List<String> queues, MeterRegistry metrics, Duration every) {
    inspector = new QueueInspector(config);
    this.every = every;
    this.queues = List.copyOf(queues);
    for (var queue : queues) {
      Gauge.builder("amqp.queue.depth", () -> messages(queue))
          .description("Messages in the queue")
          .tag("queue", queue)
          .register(metrics);
    }
  }

  private double messages(String queue) {
    var depth = latest.get(queue);
    return depth == null ? Double.NaN : depth.messages();
  }

  @Override
  public String name() {
    return "queue depths";
  }

  @Override
  public void start() {
    sampler.start();
  }

  @Override
  public void stop() {
    stopping = true;
    sampler.interrupt();
    inspector.close();
  }

  /// The queues that exist, by name, as of a few seconds ago.
  public Reading<Map<String, QueueState>> queues() {
    if (isAsking && System.nanoTime() - askedAt > SILENCE.toNanos()) {
      return Reading.failed("no answer for " + since(askedAt).toSeconds() + " s");
    }
    if (!problem.isEmpty()) return Reading.failed(problem);
    if (!isSampled) return Reading.pending();
    var found = new HashMap<String, QueueState>();
    latest.forEach((queue, depth) ->
        found.put(
            queue, new QueueState(depth.messages(), depth.consumers(), nonEmptyFor(queue, depth))));
    return Reading.of(found);
  }

  private @Nullable Duration nonEmptyFor(String queue, QueueInspector.Depth depth) {
    var at = emptyAt.get(queue);
    return at == null || depth.messages() == 0 ? null : since(at);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private void run() {
    while (!stopping) {
      sample();
      isSampled = true;
      try {
        Thread.sleep(every);
      } catch (InterruptedException stop) {
        return;
      }
    }
  }

  private void sample() {
    try {
      for (var queue : queues) {
        askedAt = System.nanoTime();
        isAsking = true;
        inspector
            .depth(queue)
            .ifPresentOrElse(depth -> keep(queue, depth), () -> latest.remove(queue));
      }
      problem = "";
    } catch (AmqpException unreachable) {
      latest.clear(); // an old depth is worse than none
      problem = String.valueOf(unreachable.getMessage());
      log.debug("{}", unreachable.getMessage());
    } finally {
      isAsking = false;
    }
  }

  private void keep(String queue, QueueInspector.Depth depth) {
    if (depth.messages() == 0) emptyAt.put(queue, System.nanoTime());
    latest.put(queue, depth);
  }
}
