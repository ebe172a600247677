package io.tidemill.gateway.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEvent;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.gateway.job.Tenants;
import io.tidemill.gateway.mcp.McpJobFollower.CancelReason;
import io.tidemill.gateway.mcp.McpMessage.Call;
import io.tidemill.gateway.mcp.McpReply.Fault;
import io.tidemill.http.Access;
import io.tidemill.http.Problem;
import io.tidemill.http.Request;
import io.tidemill.http.RequestHeaders;
import io.tidemill.http.Response;
import io.tidemill.http.SseWriter;
import io.tidemill.job.JobCallStore;
import io.tidemill.job.JobSubmitter;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.Submission;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.StoreRetry;
import io.tidemill.service.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls of tools over MCP: each is a job of the task `tool`, so tools of plugins and of workers in
/// other languages can be called as well (C3.11).
final class McpCalls {
  private static final Logger log = LoggerFactory.getLogger(McpCalls.class);
  private static final String SESSION = "Mcp-Session-Id";

  private final McpTools tools;
  private final JobSubmitter submitter;
  private final JobsConfig config;
  private final Tenants tenants;
  private final McpJobFollower follower;
  private final JobCallStore calls;
  private final Duration timeout;

  /// @param timeout of a call
  McpCalls(
      McpTools tools,
      JobSubmitter submitter,
      JobsConfig config,
      McpJobFollower follower,
      JobCallStore calls,
      Duration timeout) {
    this.tools = tools;
    this.submitter = submitter;
    this.config = config;
    this.tenants = new Tenants(config.trustTenant());
    this.follower = follower;
    this.calls = calls;
    this.timeout = timeout;
  }

  /// `tools/call`
  ///
  /// @param streams whether the client reads a stream of events
  /// @param complete adds what the protocol version requires of a result
  Response call(Call call, Request request, boolean streams, UnaryOperator<ObjectNode> complete)
      throws InterruptedException {
    var name = call.params().path("name");
    if (!name.isString()) {
      return Fault.of(McpReply.BAD_PARAMS, "params.name must be a text").response(call.id());
    }
    var arguments = call.params().path("arguments");
    if (!arguments.isObject() && !arguments.isMissingNode()) {
      return Fault.of(McpReply.BAD_PARAMS, "params.arguments must be a JSON object")
          .response(call.id());
    }
    var tool = tools.find(name.stringValue());
    if (tool.isEmpty()) {
      return Fault.of(
              McpReply.BAD_PARAMS,
              "Unknown tool: no worker offers it now; tools/list shows those that there are")
          .response(call.id());
    }
    if (!tool.get().readOnly()) {
      var refusal = request.identity().refusal(Access.OPERATOR, true);
      if (refusal.isPresent()) return refused(refusal.get()).response(call.id());
    }
    var payload = Json.object().put("name", tool.get().name());
    payload.set("arguments", arguments.isObject() ? arguments : Json.object());
    var job = new JobSubmission(JobTask.TOOL, Json.text(payload), config.ttlS());
    return submit(call, job, request, streams, complete);
  }

  private Response submit(
      Call call,
      JobSubmission job,
      Request request,
      boolean streams,
      UnaryOperator<ObjectNode> complete)
      throws InterruptedException {
    Submission submission;
    try {
      var key = RequestHeaders.idempotencyKey(request);
      var tenant = tenants.of(request.header(Tenants.HEADER), request.caller());
      submission = submitter.submit(job, tenant, key.orElse(null));
    } catch (RequestHeaders.Wrong wrong) {
      return refused(400, String.valueOf(wrong.getMessage()), 1).response(call.id());
    } catch (Unavailable away) {
      return refused(503, String.valueOf(away.getMessage()), away.retryAfter().toSeconds())
          .response(call.id());
    }
    return switch (submission) {
      case Submission.Accepted(var id) -> follow(call, id, request, streams, complete);
      case Submission.Repeated(var id) -> follow(call, id, request, streams, complete);
      case Submission.Refused refusal -> refused(refusal).response(call.id());
    };
  }

  private Response follow(
      Call call, String job, Request request, boolean streams, UnaryOperator<ObjectNode> complete)
      throws InterruptedException {
    var callId = callId(call.id(), request);
    remember(callId, job);
    if (streams) return Response.events(out -> stream(call, job, callId, complete, out));
    try {
      var result = follower.result(job, new McpJobFollower.Listener() {});
      // HTTP needs a response, even if the client ignores it.
      var sent =
          result == null ? McpJobFollower.failed(CancelReason.CLIENT_CANCELED.text()) : result;
      return Response.ok(McpReply.result(call.id(), complete.apply(sent)));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      forget(callId);
    }
  }

  // MCP has no code for a full queue; HTTP has.
  private static Fault refused(Submission.Refused refusal) {
    return switch (refusal) {
      case Submission.Conflict conflict -> Fault.of(McpReply.BAD_PARAMS, conflict.why());
      case Submission.PayloadTooLarge large -> Fault.of(McpReply.BAD_PARAMS, large.why());
      case Submission.QueueFull full -> refused(429, full.why(), full.retryAfter().toSeconds());
      case Submission.StoreFull full -> refused(429, full.why(), full.retryAfter().toSeconds());
    };
  }

  private static Fault refused(Problem problem) {
    var data = Json.tree(problem.extensions());
    return new Fault(200, problem.status(), problem.detail(), (ObjectNode) data);
  }

  private static Fault refused(int status, String detail, long seconds) {
    var data = Json.object().put("retryAfterSeconds", Math.max(1, seconds));
    return new Fault(200, status, detail, data);
  }

  private void stream(
      Call call,
      String job,
      @Nullable String callId,
      UnaryOperator<ObjectNode> complete,
      SseWriter out)
      throws IOException, InterruptedException {
    try {
      var token = call.meta("progressToken");
      var listener =
          new ProgressListener(token.isString() || token.isIntegralNumber() ? token : null, out);
      var result = follower.result(job, listener);
      if (result != null) listener.send(McpReply.result(call.id(), complete.apply(result)));
    } finally {
      forget(callId);
    }
  }

  /// `notifications/cancelled`
  void cancel(JsonNode requestId, Request request) {
    var callId = callId(requestId, request);
    if (callId == null) return;
    StoreRetry.answer(() -> calls.job(callId))
        .ifPresent(job -> follower.cancel(job, CancelReason.CLIENT_CANCELED));
  }

  // Request ids are unique in a session only; without one, a call is canceled by closing the
  // connection. The caller is part of the id, so that no other caller can cancel the call.
  private static @Nullable String callId(JsonNode id, Request request) {
    return request
        .header(SESSION)
        .map(session -> session + "\n" + request.caller().orElse("") + "\n" + Json.text(id))
        .map(text -> UUID.nameUUIDFromBytes(text.getBytes(UTF_8)).toString())
        .orElse(null);
  }

  private void remember(@Nullable String callId, String job) {
    try {
      if (callId != null) calls.put(callId, job, timeout);
    } catch (RedisException silent) {
      log.debug("the call can't be canceled by its id: {}", silent.getMessage());
    }
  }

  private void forget(@Nullable String callId) {
    try {
      if (callId != null) calls.remove(callId);
    } catch (RedisException silent) {
      log.debug("a call expires later: {}", silent.getMessage());
    }
  }

  /// A client that reads a stream.
  private static final class ProgressListener implements McpJobFollower.Listener {
    private static final Set<String> REPORTED = Set.of(JobEvent.PROGRESS, JobEvent.LOG);
    private static final double SMALLEST_STEP = 0.000_001;

    private final @Nullable JsonNode token;
    private final SseWriter out;
    private double last;

    ProgressListener(@Nullable JsonNode token, SseWriter out) {
      this.token = token;
      this.out = out;
    }

    @Override
    public void event(JobEvent event) throws IOException {
      var asked = token;
      if (asked == null) return;
      if (!REPORTED.contains(event.type())) return;
      var data = JobCodec.value(event.data());
      var fraction = data == null ? 0 : data.path("fraction").asDouble(0);
      // MCP wants it to grow with each notification.
      last = Math.max(fraction, last + SMALLEST_STEP);
      var message = data == null ? "" : data.path("message").asString("");
      send(McpReply.progress(asked, last, message));
    }

    @Override
    public void idle() throws IOException {
      out.comment("waiting");
    }

    void send(ObjectNode message) throws IOException {
      out.event(null, "message", Json.text(message));
    }
  }
}
