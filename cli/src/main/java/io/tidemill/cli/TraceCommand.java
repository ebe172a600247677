package io.tidemill.cli;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill trace ID`
@Command(
    name = "trace",
    description = "Show where the time of a job, crawl, workflow or task went, step by step.",
    footer = "tidemill trace job:0f8fad5b-d9cb-469f-a165-70867728950e")
final class TraceCommand extends ClientCommand {
  private static final String TRACES = "/api/traces";
  private static final int MOST = 20;

  @Parameters(
      paramLabel = "ID",
      description =
          "A trace id, as in the answer's header traceparent, or job:ID, crawl:ID, workflow:ID or"
              + " task:ID.")
  private String id = "";

  TraceCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var gateway = gateway();
    var trace = gateway.get(TRACES + "/" + GatewayClient.segment(traceId(gateway)));
    return print(trace, () -> print(trace));
  }

  // An object may have been in several traces: it is shown in the one that it began with.
  private String traceId(GatewayClient gateway) {
    if (!id.contains(":")) return id;
    var path = new RequestPath(TRACES).with("object", id).with("limit", MOST);
    var found = gateway.get(path.toString()).path("traces");
    if (found.isEmpty()) {
      throw new CommandFailure(
          ExitCode.FAILED, "there is no trace of " + id + ": it was not recorded, or is forgotten");
    }
    if (found.size() > 1 && !client.isJson()) {
      terminal().note("%d traces; this is the first of them".formatted(found.size()));
    }
    return found.get(found.size() - 1).path("traceId").asString("");
  }

  private void print(JsonNode trace) {
    var terminal = terminal();
    new Waterfall(trace.path("spans"), terminal).lines().forEach(terminal::line);
    if (trace.path("truncated").asBoolean(false)) {
      terminal.note("there were more spans than are kept of one trace");
    }
  }
}
