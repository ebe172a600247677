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
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Follows the job of a tool call to its end, which is the tool's result. The job is canceled when
/// the client is gone.
final class McpJobFollower {
  private static final Logger log = LoggerFactory.getLogger(McpJobFollower.class);
  private static final String BEGINNING = "0-0";

  /// Why the job of a call is canceled; another gateway reads it in the job's last event.
  enum CancelReason {
    /// The client expects no answer.
    CLIENT_CANCELED("the client canceled the call"),
    CLIENT_GONE("nobody waits for it any more");

    private final String text;

    CancelReason(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    static Optional<CancelReason> of(String text) {
      return Arrays.stream(values()).filter(reason -> reason.text.equals(text)).findFirst();
    }
  }

  /// Follows the job while the call waits.
  interface Listener {
    default void event(JobEvent event) throws IOException {}

    /// Nothing has come for a while.
    default void idle() throws IOException {}
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

  /// The tool's result; null when the client canceled the call.
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
      if (!ended) cancel(jobId, CancelReason.CLIENT_GONE);
    }
  }

  // Null after the timeout.
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
          listener.event(event);
        }
      }
    }
  }

  private @Nullable ObjectNode result(String jobId, JobEvent end) {
    var data = JobCodec.value(end.data());
    if (end.type().equals(JobStatus.DONE.wire())) {
      var result = data == null ? null : data.get("result");
      // A long result is in the record only.
      return done(result == null ? JobCodec.value(record(jobId)) : result);
    }
    if (end.type().equals(JobStatus.CANCELED.wire())) {
      var reason = data == null ? "" : data.path("reason").asString("");
      return CancelReason.of(reason).equals(Optional.of(CancelReason.CLIENT_CANCELED))
          ? null
          : failed("the call was canceled");
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

  /// Cancels a job that has not ended.
  void cancel(String jobId, CancelReason reason) {
    try {
      canceler.cancel(jobId, Json.text(Json.object().put("reason", reason.text())));
    } catch (Unavailable unreachable) {
      log.warn("job {} is not canceled: {}", jobId, unreachable.getMessage());
    }
  }
}
