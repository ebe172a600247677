package io.tidemill.support;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.RetryLater;
import io.tidemill.api.Tool;
import io.tidemill.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/// Tools that behave badly, found by `ServiceLoader` like everybody's.
public final class TestTools {
  private TestTools() {}

  /// Throws what `how` names.
  public static final class Fail implements Tool {
    @Override
    public String name() {
      return "fail";
    }

    @Override
    public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
      return switch (arguments.path("how").asString("")) {
        case "failure" -> throw new JobFailure("NO_LUCK", "it can't be done");
        case "retry" -> throw new RetryLater("not now");
        case "retry-long" -> throw new RetryLater("x".repeat(3_000_000));
        case "retry-once" -> {
          if (job.attempt() == 1) throw new RetryLater("not now");
          yield Json.tree("second");
        }
        case "runtime" -> throw new IllegalStateException("broken\nsecond line");
        case "checked" -> throw new java.io.IOException();
        case "stack" -> throw new StackOverflowError();
        case "memory" -> throw new OutOfMemoryError("Java heap space");
        case "linkage" -> throw new NoClassDefFoundError("org/example/Missing");
        case "assertion" -> throw new AssertionError("this can't be");
        case "error" -> throw new Error("anything");
        case "surrogate" -> throw new IllegalStateException("half \ud800 pair");
        case "long" -> throw new IllegalStateException("x".repeat(3_000_000));
        case "null" -> null;
        default -> throw new JobFailure("BAD_ARGUMENTS", "how?");
      };
    }
  }

  /// Emits `n` log events, then returns `n`.
  public static final class Emit implements Tool {
    @Override
    public String name() {
      return "emit";
    }

    @Override
    public JsonNode call(JsonNode arguments, JobCall job) {
      var n = arguments.path("n").asInt(1);
      var every = Duration.ofMillis(arguments.path("every_ms").asInt(0)).toNanos();
      var padding = "x".repeat(arguments.path("size").asInt(0));
      for (int i = 0; i < n; i++) {
        job.log(i + padding);
        if (every > 0) LockSupport.parkNanos(every);
      }
      return Json.tree(n);
    }
  }

  /// Emits one event of each kind.
  public static final class Report implements Tool {
    @Override
    public String name() {
      return "report";
    }

    @Override
    public JsonNode call(JsonNode arguments, JobCall job) {
      job.progress(0.5, "half\nway");
      job.log("a line");
      job.token("Hel");
      job.token("lo \"you\"");
      return Json.object();
    }
  }

  /// Returns a text of `n` characters.
  public static final class Big implements Tool {
    @Override
    public String name() {
      return "big";
    }

    @Override
    public JsonNode call(JsonNode arguments, JobCall job) {
      return Json.tree("x".repeat(arguments.path("n").asInt()));
    }
  }

  /// Makes the file `entered`, and returns once the file `go` or `go-<attempt>` exists; with
  /// `halt`, kills the JVM; with `log`, says so before it returns.
  public static final class Gate implements Tool {
    @Override
    public String name() {
      return "gate";
    }

    @Override
    public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
      var entered = Path.of(arguments.path("entered").stringValue());
      Files.writeString(
          entered,
          job.attempt() + "\n",
          java.nio.file.StandardOpenOption.CREATE,
          java.nio.file.StandardOpenOption.APPEND);
      if (arguments.path("halt").asBoolean(false)) Runtime.getRuntime().halt(9);
      var go = Path.of(arguments.path("go").stringValue());
      var own = Path.of(go + "-" + job.attempt());
      while (!Files.exists(go) && !Files.exists(own)) {
        LockSupport.parkNanos(2_000_000);
        if (Thread.interrupted()) throw new InterruptedException();
      }
      if (arguments.path("log").asBoolean(false)) job.log("attempt " + job.attempt());
      return Json.tree(job.attempt());
    }
  }

  /// Goes on for `ms` milliseconds, whoever interrupts it.
  public static final class Stubborn implements Tool {
    @Override
    public String name() {
      return "stubborn";
    }

    @Override
    public JsonNode call(JsonNode arguments, JobCall job) {
      var until = System.nanoTime() + Duration.ofMillis(arguments.path("ms").asInt()).toNanos();
      while (System.nanoTime() < until) {
        var _ = Thread.interrupted();
        LockSupport.parkNanos(2_000_000);
      }
      return Json.tree("stubborn");
    }
  }
}
