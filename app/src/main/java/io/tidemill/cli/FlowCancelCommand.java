package io.tidemill.cli;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowKind;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill workflow cancel ID`, `tidemill task cancel ID`
@Command(name = "cancel", description = "Cancel what waits or runs.")
final class FlowCancelCommand implements Callable<Integer> {
  private final Session session;
  private final FlowKind kind;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  @Option(names = "--reason", paramLabel = "R", description = "Why, for those who follow it.")
  private @Nullable String reason;

  FlowCancelCommand(Session session, FlowKind kind) {
    this.session = session;
    this.kind = kind;
  }

  @Override
  public Integer call() {
    var body = Json.object();
    if (reason != null) body.put("reason", reason);
    var path = FlowPath.one(kind, id) + "/cancel";
    var answer = client.gateway(session).post(path, body, Map.of());
    if (client.isJson()) session.terminal().json(answer);
    else session.terminal().line("canceled, was " + was(answer.path("was").asString("unknown")));
    return ExitCode.OK;
  }

  private static String was(String status) {
    return Terminal.oneLine(status);
  }
}
