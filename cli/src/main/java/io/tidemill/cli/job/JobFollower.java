package io.tidemill.cli.job;

import io.tidemill.cli.client.EventFollower;
import io.tidemill.cli.client.EventPrinter;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;

/// Shows a job's events as they come, then how it ended.
public final class JobFollower {
  private final GatewayClient gateway;
  private final Terminal terminal;
  private final boolean json;

  JobFollower(GatewayClient gateway, Terminal terminal, boolean json) {
    this.gateway = gateway;
    this.terminal = terminal;
    this.json = json;
  }

  /// Follows to the end.
  ///
  /// @return the exit code: 0 when the job is done
  int follow(String id) {
    var path = "/v1/jobs/" + GatewayClient.segment(id);
    var ended =
        new EventFollower(terminal, json, new EventPrinter(terminal), JobFollower::isTerminal)
            .follow(gateway, path + "/events", goesOn(id));
    return json && ended.isPresent() ? exitCode(ended.get()) : finish(gateway.get(path));
  }

  public static String goesOn(String id) {
    return "%nthe job goes on; see it again: tidemill job follow %s%nstop it: tidemill job cancel %s"
        .formatted(id, id);
  }

  private static boolean isTerminal(String type) {
    return JobStatus.of(type).map(JobStatus::isTerminal).orElse(false);
  }

  private int finish(JsonNode job) {
    var ended = job.path("status").asString("");
    if (json) {
      terminal.json(job);
      return exitCode(ended);
    }
    switch (ended) {
      case "done" -> terminal.prettyJson(job.path("result"));
      case "error" -> terminal.error("the job failed: " + words(job.path("error")));
      case "canceled" -> terminal.error("the job was canceled");
      default -> terminal.error("the job's events ended while it is " + ended);
    }
    return exitCode(ended);
  }

  // What a foreign worker writes as its error may be any JSON.
  private static String words(JsonNode error) {
    var message = error.path("message").asString("");
    var code = error.path("code").asString("");
    if (message.isEmpty()) return Json.text(error);
    return code.isEmpty() ? message : message + " (" + code + ")";
  }

  private static int exitCode(String status) {
    return status.equals("done") ? ExitCode.OK : ExitCode.FAILED;
  }
}
