package io.tidemill.cli.job;

import io.tidemill.cli.client.EventPrinter;
import io.tidemill.cli.resource.FollowView;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A job's events as they come, then how it ended.
final class JobFollowView implements FollowView {
  private final Terminal terminal;
  private final EventPrinter lines;

  JobFollowView(Terminal terminal) {
    this.terminal = terminal;
    lines = new EventPrinter(terminal);
  }

  @Override
  public void print(JsonNode event) {
    lines.print(event);
  }

  @Override
  public void end() {
    lines.end();
  }

  @Override
  public boolean isLast(String type) {
    return JobStatus.of(type).map(JobStatus::isTerminal).orElse(false);
  }

  @Override
  public Optional<Boolean> success(String lastType) {
    return Optional.of(lastType.equals("done"));
  }

  @Override
  public boolean finish(JsonNode job, boolean json) {
    var ended = job.path("status").asString("");
    if (json) terminal.json(job);
    else print(ended, job);
    return ended.equals("done");
  }

  private void print(String ended, JsonNode job) {
    switch (ended) {
      case "done" -> terminal.prettyJson(job.path("result"));
      case "error" -> terminal.error("the job failed: " + words(job.path("error")));
      case "canceled" -> terminal.error("the job was canceled");
      default -> terminal.error("the job's events ended while it is " + ended);
    }
  }

  // What a foreign worker writes as its error may be any JSON.
  private static String words(JsonNode error) {
    var message = error.path("message").asString("");
    var code = error.path("code").asString("");
    if (message.isEmpty()) return Json.text(error);
    return code.isEmpty() ? message : message + " (" + code + ")";
  }
}
