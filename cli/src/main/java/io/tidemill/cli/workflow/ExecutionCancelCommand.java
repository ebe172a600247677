package io.tidemill.cli.workflow;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.json.Json;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill workflow cancel ID`, `tidemill task cancel ID`
@Command(name = "cancel", description = "Cancel what waits or runs.")
public final class ExecutionCancelCommand implements Callable<Integer> {
  private final CommandSession session;
  private final ExecutionKind kind;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  @Option(names = "--reason", paramLabel = "R", description = "Why, for those who follow it.")
  private @Nullable String reason;

  public ExecutionCancelCommand(CommandSession session, ExecutionKind kind) {
    this.session = session;
    this.kind = kind;
  }

  @Override
  public Integer call() {
    var body = Json.object();
    if (reason != null) body.put("reason", reason);
    var path = ExecutionPath.one(kind, id) + "/cancel";
    var answer = client.gateway(session).post(path, body, Map.of());
    if (client.isJson()) session.terminal().json(answer);
    else session.terminal().line("canceled, was " + was(answer.path("was").asString("unknown")));
    return ExitCode.OK;
  }

  private static String was(String status) {
    return Terminal.oneLine(status);
  }
}
