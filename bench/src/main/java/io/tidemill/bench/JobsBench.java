package io.tidemill.bench;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobHandler;
import io.tidemill.bench.raw.WireLoad;
import io.tidemill.bench.raw.WireProtocol;
import io.tidemill.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// `bench jobs`: accepted, drained and end-to-end jobs a second, and the time from queue to start,
/// each beside what the same Redis does with the same scripts, in the same run.
public final class JobsBench {
  /// The figures of one way to keep data.
  ///
  /// @param durable whether every write is on disk before it is answered
  public record Figures(
      boolean durable,
      double rawSubmit,
      double post,
      double rawDrain,
      double drain,
      double endToEnd,
      double startP50Millis,
      double startP99Millis) {}

  private static final int CONNECTIONS = 50;

  private final Map<String, String> overrides;
  private final int jobs;
  private final int rounds;
  private final int probes;

  /// @param overrides settings to measure with: those of `worker`, and `redis.connections`
  public JobsBench(boolean quick, Map<String, String> overrides) {
    this(quick ? 4_000 : 20_000, quick ? 1 : 3, quick ? 200 : 1_000, overrides);
  }

  JobsBench(int jobs, int rounds, int probes, Map<String, String> overrides) {
    this.jobs = jobs;
    this.rounds = rounds;
    this.probes = probes;
    this.overrides = Map.copyOf(overrides);
  }

  /// Runs it: first as the product keeps data, then without a log on disk.
  public List<Figures> run() throws IOException, InterruptedException {
    return List.of(measure(true), measure(false));
  }

  private Figures measure(boolean durable) throws IOException, InterruptedException {
    try (var folder = BenchFolder.make();
        var rig = new JobsRig(folder.path(), durable, overrides)) {
      var raw = new RawJobs(rig, CONNECTIONS);
      warm(rig, raw);
      var rawSubmit = median(rig, () -> raw.submit(jobs));
      var post = median(rig, () -> post(rig, jobs));
      var rawDrain = median(rig, () -> rawDrain(raw));
      var drain = median(rig, () -> fillAndDrain(rig, raw));
      var endToEnd = median(rig, () -> endToEnd(rig));
      var starts = starts(rig);
      return new Figures(
          durable,
          rawSubmit,
          post,
          rawDrain,
          drain,
          endToEnd,
          starts[probes / 2],
          starts[probes * 99 / 100]);
    }
  }

  // The first seconds belong to the compiler.
  private void warm(JobsRig rig, RawJobs raw) {
    for (int i = 0; i < 3; i++) {
      raw.submit(jobs / 2);
      post(rig, jobs / 2);
      drain(rig, jobs);
      rig.clear();
    }
  }

  private static double post(JobsRig rig, int count) {
    var address = rig.httpAddress();
    var body = "{\"task\":\"tool\",\"payload\":" + RawJobs.PAYLOAD + "}";
    var post = WireProtocol.post("/v1/jobs", "127.0.0.1:" + address.getPort(), body);
    return new WireLoad(address, CONNECTIONS).perSecond(count, post);
  }

  private double rawDrain(RawJobs raw) {
    raw.submit(jobs);
    return raw.drain(jobs);
  }

  private double fillAndDrain(JobsRig rig, RawJobs raw) {
    raw.submit(jobs);
    return drain(rig, jobs);
  }

  /// Works off what waits, with a worker that has nothing to do for each job.
  private static double drain(JobsRig rig, int count) {
    var worker = rig.worker("drain", new Echo());
    var began = System.nanoTime();
    worker.start();
    awaitEmpty(rig);
    var rate = count / ((System.nanoTime() - began) / 1e9);
    worker.stop();
    return rate;
  }

  private double endToEnd(JobsRig rig) {
    var worker = rig.worker("end-to-end", new Echo());
    worker.start();
    var began = System.nanoTime();
    post(rig, jobs);
    awaitEmpty(rig);
    var rate = jobs / ((System.nanoTime() - began) / 1e9);
    worker.stop();
    return rate;
  }

  private static void awaitEmpty(JobsRig rig) {
    while (true) {
      var depth = rig.queue().depth();
      if (depth.waiting() == 0 && depth.running() == 0) return;
      LockSupport.parkNanos(2_000_000);
    }
  }

  /// Milliseconds from sending a job to its handler's first line, one job at a time, sorted.
  private double[] starts(JobsRig rig) throws IOException, InterruptedException {
    var probe = new Probe();
    var worker = rig.worker("probe", probe);
    worker.start();
    var times = new double[probes];
    try (var client = HttpClient.newHttpClient()) {
      var address = rig.httpAddress();
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/v1/jobs"))
              .POST(HttpRequest.BodyPublishers.ofString("{\"task\":\"tool\"}"))
              .build();
      for (int i = 0; i < probes; i++) {
        var started = probe.next();
        var began = System.nanoTime();
        client.send(request, BodyHandlers.discarding());
        times[i] = (get(started) - began) / 1e6;
      }
    } finally {
      worker.stop();
    }
    Arrays.sort(times);
    return times;
  }

  private static long get(CompletableFuture<Long> started) throws InterruptedException {
    try {
      return started.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException lost) {
      throw new IllegalStateException("a job did not start", lost);
    }
  }

  private double median(JobsRig rig, DoubleSupplier measurement) {
    var results = new ArrayList<Double>();
    for (int round = 0; round < rounds; round++) {
      rig.clear();
      results.add(measurement.getAsDouble());
    }
    results.sort(Comparator.naturalOrder());
    return results.get(results.size() / 2);
  }

  private static final class Echo implements JobHandler {
    @Override
    public String task() {
      return "tool";
    }

    @Override
    public JsonNode handle(JobCall job) {
      return job.payload();
    }
  }

  /// Records when a handler begins.
  private static final class Probe implements JobHandler {
    private volatile @Nullable CompletableFuture<Long> started;

    CompletableFuture<Long> next() {
      var next = new CompletableFuture<Long>();
      started = next;
      return next;
    }

    @Override
    public String task() {
      return "tool";
    }

    @Override
    public JsonNode handle(JobCall job) {
      var now = System.nanoTime();
      var waiting = started;
      if (waiting != null) waiting.complete(now);
      return Json.object();
    }
  }
}
