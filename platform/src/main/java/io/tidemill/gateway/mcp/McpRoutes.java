package io.tidemill.gateway.mcp;

import io.tidemill.gateway.mcp.McpMessage.Call;
import io.tidemill.gateway.mcp.McpMessage.Notice;
import io.tidemill.gateway.mcp.McpMessage.Reply;
import io.tidemill.gateway.mcp.McpMessage.Wrong;
import io.tidemill.gateway.mcp.McpReply.Fault;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.job.JobCallStore;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobSubmitter;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.ToolRegistry;
import io.tidemill.json.Json;
import io.tidemill.redis.stream.StreamTail;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// The tools for assistants, by the Model Context Protocol over streamable HTTP (C3.11): `/mcp`.
///
/// Requests share no state, so any gateway can answer any of them. The HTTP server refuses foreign
/// origins and hosts.
public final class McpRoutes implements Routes {
  private static final Duration MAX_HEARTBEAT = Duration.ofSeconds(5);
  private static final int LIST_TTL_MILLIS = 5_000;
  private static final String INSTRUCTIONS =
      "Tidemill crawls web sites, searches what was crawled, analyses it and runs workflows."
          + " Crawls and workflows run on after a call has returned their id.";
  private static final Response.Body ACCEPTED = new Response.Body(202, "", new byte[0], Map.of());

  private final McpTools tools;
  private final McpCalls calls;
  private final String version;

  /// The stores and streams that jobs are admitted to and followed in.
  public record Stores(JobStore jobs, ToolRegistry tools, JobCallStore calls, StreamTail tail) {}

  public McpRoutes(
      McpConfig config,
      JobsConfig jobsConfig,
      JobSubmitter submitter,
      Stores stores,
      String version) {
    this.version = version;
    var heartbeat = jobsConfig.heartbeat();
    var follower =
        new McpJobFollower(
            stores.jobs(),
            stores.tail(),
            config.timeout(),
            heartbeat.compareTo(MAX_HEARTBEAT) < 0 ? heartbeat : MAX_HEARTBEAT);
    tools = new McpTools(stores.tools());
    calls = new McpCalls(tools, submitter, jobsConfig, follower, stores.calls(), config.timeout());
  }

  @Override
  public List<Route> routes() {
    // Which access a tool needs is known only when it is called.
    return List.of(Route.post("/mcp", this::post).viewer().unaudited());
  }

  /// `POST /mcp`
  Response post(Request request) throws InterruptedException {
    var streams = accepts(request, "text/event-stream");
    if (!streams && !accepts(request, "application/json")) {
      return Response.problem(
          406, "Accept must name application/json and text/event-stream, or one of them");
    }
    return switch (McpMessage.decode(request.body())) {
      case Wrong(var code, var why, var id) -> Fault.bad(code, why).response(id);
      case Reply() -> ACCEPTED;
      case Notice notice -> accept(notice, request);
      case Call call -> {
        var fault = McpVersion.fault(call, request);
        if (fault != null) yield fault.response(call.id());
        yield McpVersion.isStateless(call, request)
            ? stateless(call, request, streams)
            : withHandshake(call, request, streams);
      }
    };
  }

  private static boolean accepts(Request request, String type) {
    var header = request.header("Accept");
    // Streams are only for clients that ask for them.
    if (header.isEmpty()) return type.equals("application/json");
    return Stream.of(header.get().toLowerCase(Locale.ROOT).split(","))
        .map(part -> part.replaceFirst(";.*", "").strip())
        .anyMatch(part ->
            part.equals(type)
                || (type.equals("application/json")
                    && (part.equals("*/*") || part.equals("application/*"))));
  }

  private Response accept(Notice notice, Request request) {
    if (notice.method().equals("notifications/cancelled")) {
      calls.cancel(notice.params().path("requestId"), request);
    }
    return ACCEPTED;
  }

  // Versions with a handshake.
  private Response withHandshake(Call call, Request request, boolean streams)
      throws InterruptedException {
    return switch (call.method()) {
      case "initialize" ->
          answer(call, initialized(call))
              // Only tells calls apart when one is canceled; no session stands behind it.
              .withHeader("Mcp-Session-Id", UUID.randomUUID().toString());
      case "ping" -> answer(call, Json.object());
      case "tools/list" -> list(call, UnaryOperator.identity());
      case "tools/call" -> calls.call(call, request, streams, UnaryOperator.identity());
      default -> unknown(call, 200);
    };
  }

  private ObjectNode initialized(Call call) {
    var wanted = call.params().path("protocolVersion").asString("");
    var result = Json.object().put("protocolVersion", McpVersion.agreed(wanted));
    result.putObject("capabilities").putObject("tools");
    result.set("serverInfo", self());
    return result.put("instructions", INSTRUCTIONS);
  }

  private ObjectNode self() {
    return Json.object().put("name", "tidemill").put("title", "Tidemill").put("version", version);
  }

  // Versions without.
  private Response stateless(Call call, Request request, boolean streams)
      throws InterruptedException {
    return switch (call.method()) {
      case "server/discover" -> answer(call, cacheable(discovered()));
      case "tools/list" -> list(call, this::cacheable);
      case "tools/call" -> calls.call(call, request, streams, this::complete);
      default -> unknown(call, 404);
    };
  }

  private ObjectNode discovered() {
    var result = Json.object();
    result.set("supportedVersions", Json.tree(McpVersion.ALL));
    result.putObject("capabilities").putObject("tools");
    return result.put("instructions", INSTRUCTIONS);
  }

  private ObjectNode complete(ObjectNode result) {
    result.putObject("_meta").set("io.modelcontextprotocol/serverInfo", self());
    return result.put("resultType", "complete");
  }

  private ObjectNode cacheable(ObjectNode result) {
    return complete(result).put("ttlMs", LIST_TTL_MILLIS).put("cacheScope", "private");
  }

  private Response list(Call call, UnaryOperator<ObjectNode> complete) {
    if (call.params().hasNonNull("cursor")) {
      return Fault.of(McpReply.BAD_PARAMS, "params.cursor is none that was given out here")
          .response(call.id());
    }
    var result = Json.object();
    result.set("tools", tools.list());
    return answer(call, complete.apply(result));
  }

  private static Response unknown(Call call, int status) {
    return new Fault(status, McpReply.UNKNOWN_METHOD, "there is no method of that name", null)
        .response(call.id());
  }

  private static Response answer(Call call, ObjectNode result) {
    return Response.ok(McpReply.result(call.id(), result));
  }
}
