package io.tidemill.cli;

import io.tidemill.contract.Json;
import io.tidemill.contract.job.JobStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Shows a job's events as they come, then how it ended.
final class JobFollow implements EventStream.Listener {
  private final GatewayClient gateway;
  private final Terminal terminal;
  private final boolean json;
  private final EventPrinter printer;
  private @Nullable String status;

  JobFollow(GatewayClient gateway, Terminal terminal, boolean json) {
    this.gateway = gateway;
    this.terminal = terminal;
    this.json = json;
    this.printer = new EventPrinter(terminal);
  }

  /// Follows to the end.
  ///
  /// @return the exit code: 0 when the job is done
  int follow(String id) {
    var path = "/v1/jobs/" + GatewayClient.segment(id);
    // Ctrl-C ends the process, and the job goes on: say so.
    var advice = new Thread(() -> terminal.note(goesOn(id)), "advice");
    Runtime.getRuntime().addShutdownHook(advice);
    try {
      gateway.events(path + "/events", this).follow();
    } finally {
      printer.end();
      forget(advice);
    }
    return json && status != null ? exitCode(status) : finish(gateway.get(path));
  }

  static String goesOn(String id) {
    return "%nthe job goes on; see it again: tidemill job follow %s%nstop it: tidemill job cancel %s"
        .formatted(id, id);
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyStopping) {
      // It runs right now.
    }
  }

  @Override
  public boolean event(SseEvent event) {
    if (event.type().equals("hello")) return true;
    JsonNode tree;
    try {
      tree = Json.parse(event.data());
    } catch (JacksonException notOurs) {
      return true;
    }
    if (json) terminal.json(tree);
    else printer.print(tree);
    if (JobStatus.of(event.type()).map(JobStatus::isTerminal).orElse(false)) status = event.type();
    return status == null;
  }

  @Override
  public void broken(Duration wait) {
    printer.end();
    terminal.error(
        "the connection broke; next try in " + Math.ceilDiv(wait.toMillis(), 1000) + " s");
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
