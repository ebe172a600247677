package io.tidemill.cli;

import io.tidemill.contract.job.JobStatus;
import io.tidemill.contract.job.JobTask;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill job list`
@Command(
    name = "list",
    description = "List jobs that came lately, the newest first.",
    footer = "tidemill job list --status error")
final class JobListCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Option(
      names = "--status",
      paramLabel = "S",
      description = "Only those that are queued, running, done, error or canceled.")
  private @Nullable String status;

  @Option(
      names = "--task",
      paramLabel = "TASK",
      description = "Only those of this task: ${COMPLETION-CANDIDATES}.",
      completionCandidates = TaskNames.class)
  private @Nullable String task;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many, 50 by default.")
  private int limit;

  JobListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    OptionValue.oneOf(
        "--status", status, Arrays.stream(JobStatus.values()).map(JobStatus::wire).toList());
    OptionValue.oneOf("--task", task, Arrays.stream(JobTask.values()).map(JobTask::wire).toList());
    var path =
        new RequestPath("/v1/jobs").with("status", status).with("task", task).with("limit", limit);
    var answer = client.gateway(session).get(path.toString());
    if (client.isJson()) session.terminal().json(answer);
    else print(answer);
    return ExitCode.OK;
  }

  private void print(JsonNode answer) {
    var terminal = session.terminal();
    var jobs = answer.path("jobs");
    jobs.forEach(this::printOne);
    var total = answer.path("total").asLong(jobs.size());
    if (total == 0) terminal.line("no jobs");
    if (total > jobs.size()) terminal.note((total - jobs.size()) + " more; see them with --limit");
  }

  private void printOne(JsonNode job) {
    session
        .terminal()
        .line(
            Terminal.clean(
                String.format(
                        Locale.ROOT,
                        "%-36s  %-8s  %-5s  %-24s  %s",
                        text(job, "job_id"),
                        text(job, "status"),
                        text(job, "task"),
                        Instant.ofEpochMilli(job.path("created_at").asLong(0)),
                        text(job, "error"))
                    .stripTrailing()));
  }

  private static String text(JsonNode job, String name) {
    return Terminal.oneLine(job.path(name).asString(""));
  }
}
