package io.tidemill.gateway.mcp;

import io.tidemill.contract.job.Job;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEvent;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.job.JobCanceler;
import io.tidemill.job.JobStore;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.service.Unavailable;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Follows the job behind a call of a tool to its end, which is the tool's result. A job that
/// nobody waits for any more is canceled.
final class McpJobFollower {
  private static final Logger log = LoggerFactory.getLogger(McpJobFollower.class);
  private static final String BEGINNING = "0-0";

  /// Why a job is canceled whose client took its call back: it expects no answer.
  static final String TAKEN_BACK = "the client canceled the call";

  private static final String LEFT = "nobody waits for it any more";

  /// Somebody who waits.
  interface Listener {
    /// What the job says of itself.
    void hear(JobEvent event) throws IOException;

    /// Nothing has come for a while.
    void idle() throws IOException;
  }

  private final JobStore store;
  private final JobCanceler canceler;
  private final StreamTail tail;
  private final Duration timeout;
  private final Duration heartbeat;

  McpJobFollower(JobStore store, StreamTail tail, Duration timeout, Duration heartbeat) {
    this.store = store;
    this.canceler = new JobCanceler(store);
    this.tail = tail;
    this.timeout = timeout;
    this.heartbeat = heartbeat;
  }

  /// The tool's result, in whatever way the job ends; null when the client took the call back.
  ///
  /// @throws IOException when the listener is gone
  @Nullable ObjectNode result(String jobId, Listener listener)
      throws IOException, InterruptedException {
    var ended = false;
    try {
      var end = end(jobId, listener);
      ended = end != null;
      if (end == null) return failed("the tool did not end within " + timeout + " and was stopped");
      return result(jobId, end);
    } catch (RedisException unreachable) {
      log.warn("{}", unreachable.getMessage());
      return failed("Redis does not answer");
    } finally {
      if (!ended) cancel(jobId, LEFT);
    }
  }

  // Null when there was none in time.
  private @Nullable JobEvent end(String jobId, Listener listener)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + timeout.toNanos();
    try (var reader = tail.follow(JobNames.events(jobId), BEGINNING)) {
      while (true) {
        var left = Duration.ofNanos(deadline - System.nanoTime());
        if (!left.isPositive()) return null;
        var entries = reader.next(left.compareTo(heartbeat) < 0 ? left : heartbeat);
        if (entries.isEmpty()) listener.idle();
        for (var entry : entries) {
          var event = JobCodec.decodeEvent(entry.id(), entry.fields());
          if (event.isTerminal()) return event;
          listener.hear(event);
        }
      }
    }
  }

  private @Nullable ObjectNode result(String jobId, JobEvent end) {
    var data = JobCodec.value(end.data());
    if (end.type().equals(JobStatus.DONE.wire())) {
      var result = data == null ? null : data.get("result");
      // One that is too long for an event is in the record only.
      return done(result == null ? JobCodec.value(record(jobId)) : result);
    }
    if (end.type().equals(JobStatus.CANCELED.wire())) {
      var reason = data == null ? "" : data.path("reason").asString("");
      return reason.equals(TAKEN_BACK) ? null : failed("the call was canceled");
    }
    var code = data == null ? "" : data.path("code").asString("");
    var message = data == null ? "" : data.path("message").asString("the tool failed");
    return failed(code.isEmpty() ? message : code + ": " + message);
  }

  private @Nullable String record(String jobId) {
    return store.find(jobId).map(Job::result).orElse(null);
  }

  private static ObjectNode done(@Nullable JsonNode result) {
    var value = result == null ? NullNode.getInstance() : result;
    var tree = content(value.isString() ? value.stringValue() : Json.text(value));
    if (value.isObject()) tree.set("structuredContent", value);
    return tree.put("isError", false);
  }

  static ObjectNode failed(String why) {
    return content(why).put("isError", true);
  }

  private static ObjectNode content(String text) {
    var tree = Json.object();
    tree.putArray("content").addObject().put("type", "text").put("text", text);
    return tree;
  }

  /// Stops a job; one that has ended stays as it is.
  void cancel(String jobId, String reason) {
    try {
      canceler.cancel(jobId, Json.text(Json.object().put("reason", reason)));
    } catch (Unavailable unreachable) {
      log.warn("job {} is not canceled: {}", jobId, unreachable.getMessage());
    }
  }
}
