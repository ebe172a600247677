package io.tidemill.processor;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.Step;
import io.tidemill.api.TaskType;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.support.Resp;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

/// A processor as a process, whose steps leave traces in Redis: `ran:<id>` counts attempts,
/// `effect:<id>` is what a step has to bring about once.
public final class ProcessorMain {
  private ProcessorMain() {}

  /// @param arguments Redis' address, Redis' own port, Kafka's address, a name, then settings
  public static void main(String[] arguments) throws InterruptedException {
    var settings =
        WorkflowRig.settings(arguments[0], Arrays.copyOfRange(arguments, 4, arguments.length));
    var port = Integer.parseInt(arguments[1]);
    var processor =
        WorkflowRig.processor(
            settings,
            new KafkaConfig(arguments[2], 1),
            new Redis(settings.section(RedisConfig.class)),
            arguments[3],
            InstantSource.system(),
            steps(port),
            types(port),
            new SimpleMeterRegistry());
    processor.start();
    System.out.println("ready " + arguments[3]);
    Thread.currentThread().join();
  }

  static List<Step> steps(int port) {
    return List.of(step(port, "one"), step(port, "two"), step(port, "three"));
  }

  private static Step step(int port, String name) {
    return TestSteps.repeatable(
        name,
        call -> {
          leave(port, call.id());
          return TestSteps.done(call, 1);
        });
  }

  static List<TaskType> types(int port) {
    return List.of(
        TestSteps.type(
            "data_export",
            call -> {
              leave(port, call.id());
              return Json.object().put("done", true);
            }),
        TestSteps.type(
            "report_generation",
            call -> {
              leave(port, call.id() + "-" + call.retryCount());
              if (call.retryCount() == 0) throw WorkFailure.passing("AWAY", "not now");
              return Json.object().put("done", true);
            }));
  }

  // Past any proxy: what a step does elsewhere is not lost with its process.
  private static void leave(int port, String id) {
    try (var redis = new Resp(port)) {
      redis.call("INCR", "ran:" + id);
      redis.call("SETNX", "effect:" + id, "1");
    }
  }
}
