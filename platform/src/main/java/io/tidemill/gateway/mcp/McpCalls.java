package io.tidemill.gateway.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEvent;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.gateway.job.Tenants;
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
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls of tools over MCP: each is a job of the task `tool`, admitted like every other, so tools
/// of plugins and of workers in other languages can be called as well (C3.11).
final class McpCalls {
  private static final Logger log = LoggerFactory.getLogger(McpCalls.class);
  private static final String SESSION = "Mcp-Session-Id";

  private final McpTools tools;
  private final JobSubmitter submitter;
  private final JobsConfig config;
  private final Tenants tenants;
  private final McpJobFollower follow;
  private final JobCallStore calls;
  private final Duration lasts;

  /// @param lasts how long a call may take
  McpCalls(
      McpTools tools,
      JobSubmitter submitter,
      JobsConfig config,
      McpJobFollower follow,
      JobCallStore calls,
      Duration lasts) {
    this.tools = tools;
    this.submitter = submitter;
    this.config = config;
    this.tenants = new Tenants(config.trustTenant());
    this.follow = follow;
    this.calls = calls;
    this.lasts = lasts;
  }

  /// `tools/call`
  ///
  /// @param streams whether the client can read a stream of events
  /// @param dress what the version wants a result to have
  Response call(Call call, Request request, boolean streams, UnaryOperator<ObjectNode> dress)
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
    return submit(call, job, request, streams, dress);
  }

  private Response submit(
      Call call,
      JobSubmission job,
      Request request,
      boolean streams,
      UnaryOperator<ObjectNode> dress)
      throws InterruptedException {
    Submission submission;
    try {
      var key = RequestHeaders.idempotencyKey(request);
      var tenant = tenants.of(request.header(Tenants.HEADER), request.caller());
      submission = submitter.submit(job, tenant, key.orElse(null));
    } catch (RequestHeaders.Wrong wrong) {
      return refused(400, wrong.detail(), 1).response(call.id());
    } catch (Unavailable away) {
      return refused(503, String.valueOf(away.getMessage()), away.retryAfter().toSeconds())
          .response(call.id());
    }
    return switch (submission) {
      case Submission.Accepted(var id) -> follow(call, id, request, streams, dress);
      case Submission.Repeated(var id) -> follow(call, id, request, streams, dress);
      case Submission.Refused refusal -> refused(refusal).response(call.id());
    };
  }

  private Response follow(
      Call call, String job, Request request, boolean streams, UnaryOperator<ObjectNode> dress)
      throws InterruptedException {
    var known = known(call.id(), request);
    note(known, job);
    if (streams) return Response.events(out -> stream(call, job, known, dress, out));
    try {
      var result = follow.result(job, new Silent());
      // Something must be said, even to somebody who does not listen.
      var said = result == null ? McpJobFollower.failed(McpJobFollower.TAKEN_BACK) : result;
      return Response.ok(McpReply.result(call.id(), dress.apply(said)));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      forget(known);
    }
  }

  // MCP has no code of its own for a full queue: it gets HTTP's.
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
      Call call, String job, @Nullable String known, UnaryOperator<ObjectNode> dress, SseWriter out)
      throws IOException, InterruptedException {
    try {
      var token = call.meta("progressToken");
      var told =
          new ProgressListener(token.isString() || token.isIntegralNumber() ? token : null, out);
      var result = follow.result(job, told);
      if (result != null) told.send(McpReply.result(call.id(), dress.apply(result)));
    } finally {
      forget(known);
    }
  }

  /// `notifications/cancelled`
  void cancel(JsonNode requestId, Request request) {
    var known = known(requestId, request);
    if (known == null) return;
    StoreRetry.answer(() -> calls.job(known))
        .ifPresent(job -> follow.cancel(job, McpJobFollower.TAKEN_BACK));
  }

  // Ids are unique in a session only; without one, a call is canceled by hanging up. A session that
  // somebody else got to know of stays that of its caller.
  private static @Nullable String known(JsonNode id, Request request) {
    return request
        .header(SESSION)
        .map(session -> session + "\n" + request.caller().orElse("") + "\n" + Json.text(id))
        .map(text -> UUID.nameUUIDFromBytes(text.getBytes(UTF_8)).toString())
        .orElse(null);
  }

  private void note(@Nullable String known, String job) {
    try {
      if (known != null) calls.note(known, job, lasts);
    } catch (RedisException silent) {
      log.debug("the call can't be canceled by its id: {}", silent.getMessage());
    }
  }

  private void forget(@Nullable String known) {
    try {
      if (known != null) calls.forget(known);
    } catch (RedisException silent) {
      log.debug("a call is forgotten later: {}", silent.getMessage());
    }
  }

  /// A client that gets nothing but the answer.
  private static final class Silent implements McpJobFollower.Listener {
    @Override
    public void hear(JobEvent event) {
      // It did not ask.
    }

    @Override
    public void idle() {
      // There is no way to reach it.
    }
  }

  /// A client that reads a stream.
  private static final class ProgressListener implements McpJobFollower.Listener {
    private static final double SMALLEST_STEP = 0.000_001;

    private final @Nullable JsonNode token;
    private final SseWriter out;
    private double last;

    ProgressListener(@Nullable JsonNode token, SseWriter out) {
      this.token = token;
      this.out = out;
    }

    @Override
    public void hear(JobEvent event) throws IOException {
      var asked = token;
      if (asked == null) return;
      if (!event.type().equals("progress") && !event.type().equals("log")) return;
      var data = JobCodec.value(event.data());
      var fraction = data == null ? 0 : data.path("fraction").asDouble(0);
      // It must grow with each, even when there is only something to say.
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
