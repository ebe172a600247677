package io.tidemill.cli.job;

import static io.tidemill.cli.resource.Listing.text;
import static io.tidemill.cli.resource.Listing.time;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.resource.CancelCommand;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.resource.ListCommand;
import io.tidemill.cli.resource.ListFilter;
import io.tidemill.cli.resource.Listing;
import io.tidemill.cli.resource.Resource;
import io.tidemill.cli.resource.ShowCommand;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.contract.job.JobTask;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/// `tidemill job` and the commands below it.
public final class JobCommands {
  static final String PATH = "/v1/jobs";

  public static final Resource JOB =
      new Resource(
          "job",
          "the job",
          "ID",
          "The job's id.",
          "0f8fad5b-d9cb-469f-a165-70867728950e",
          id -> PATH + "/" + GatewayClient.segment(id));

  private static final Listing JOBS =
      new Listing(
          "job list",
          "List jobs that came lately, the newest first.",
          "--status error",
          new Listing.Source(PATH, "jobs", 500, false),
          List.of(
              ListFilter.oneOf(
                  "--status",
                  "S",
                  "Only those that are queued, running, done, error or canceled.",
                  Arrays.stream(JobStatus.values()).map(JobStatus::wire).toList()),
              ListFilter.oneOf(
                      "--task",
                      "TASK",
                      "Only those of this task: ${COMPLETION-CANDIDATES}.",
                      Arrays.stream(JobTask.values()).map(JobTask::wire).toList())
                  .completed()),
          "%-36s  %-8s  %-5s  %s  %s",
          JobCommands::cells,
          (_, _) -> "no jobs");

  private JobCommands() {}

  public static CommandLine of(CommandSession session) {
    return new CommandLine(new JobCommand(session))
        .addSubcommand(ShowCommand.of(session, JOB, "Show a job's record."))
        .addSubcommand(
            FollowCommand.of(
                session,
                JOB,
                "Show what happens to a job, from its beginning to its end, then the result.",
                JobFollowView::new))
        .addSubcommand(ListCommand.of(session, JOBS))
        .addSubcommand(
            CancelCommand.withReason(
                session,
                JOB,
                "Cancel a job that waits or runs.",
                "the job",
                "--reason 'not needed'"));
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
