package io.tidemill.cli.job;

import static io.tidemill.cli.client.ListOptions.text;
import static io.tidemill.cli.client.ListOptions.time;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.ListOptions;
import io.tidemill.cli.client.ListOptions.Listed;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.contract.job.JobTask;
import java.util.Arrays;
import java.util.List;
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
public final class JobListCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ListOptions list = new ListOptions();

  @Option(
      names = "--status",
      paramLabel = "S",
      description = "Only those that are queued, running, done, error or canceled.")
  private @Nullable String status;

  @Option(
      names = "--task",
      paramLabel = "TASK",
      description = "Only those of this task: ${COMPLETION-CANDIDATES}.",
      completionCandidates = JobTaskNames.class)
  private @Nullable String task;

  public JobListCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    OptionValue.oneOf(
        "--status", status, Arrays.stream(JobStatus.values()).map(JobStatus::wire).toList());
    OptionValue.oneOf("--task", task, Arrays.stream(JobTask.values()).map(JobTask::wire).toList());
    var path = new RequestPath("/v1/jobs").with("status", status).with("task", task);
    var listed =
        new Listed(
            "jobs", 500, false, "%-36s  %-8s  %-5s  %s  %s", JobListCommand::cells, _ -> "no jobs");
    list.show(session, path, listed);
    return ExitCode.OK;
  }

  private static List<String> cells(JsonNode job) {
    return List.of(
        text(job, "job_id"),
        text(job, "status"),
        text(job, "task"),
        time(job, "created_at"),
        text(job, "error"));
  }
}
