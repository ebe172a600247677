package io.tidemill.cli.job;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.PayloadText;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.job.JobTask;
import io.tidemill.json.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill job TASK [JSON]`; the subcommands act on existing jobs.
@Command(
    name = "job",
    description = "Submit a job and, if you like, follow it to its end.",
    footer = "tidemill job tool '{\"name\":\"sleep\",\"arguments\":{\"ms\":3000}}' --follow")
final class JobCommand extends ClientCommand {
  // Not required for picocli, which would ask for it before a subcommand too.
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TASK",
      description = "One of ${COMPLETION-CANDIDATES}.",
      completionCandidates = JobTaskNames.class)
  private @Nullable String task;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "JSON",
      description = "The payload: JSON, @file, or - for standard input; {} by default.")
  private @Nullable String payload;

  @Option(
      names = {"-f", "--follow"},
      description = "Stay and show what happens, then the result; with --json one event a line.")
  private boolean follow;

  @Option(
      names = "--ttl",
      paramLabel = "N",
      description =
          "Seconds that the job is kept after its last change; if nobody has started it by then, it fails as EXPIRED.")
  private @Nullable Integer ttl;

  @Option(
      names = "--idempotency-key",
      paramLabel = "K",
      description = "The same key again leads to the same job.")
  private @Nullable String idempotencyKey;

  JobCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (task == null) {
      throw CommandFailure.usage("TASK is missing: expected one of " + JobTask.NAMES);
    }
    if (JobTask.of(task).isEmpty()) {
      throw CommandFailure.usage("TASK is '%s': expected one of %s".formatted(task, JobTask.NAMES));
    }
    var body = Json.object().put("task", task);
    body.set("payload", PayloadText.read("JSON", payload, terminal().in()));
    if (ttl != null) body.put("ttl_s", ttl);
    var gateway = gateway();
    var answer = gateway.post(JobCommands.PATH, body, idempotencyKey);
    var id = Terminal.clean(answer.path("job_id").asString(""));
    if (follow) {
      var view = new JobFollowView(terminal());
      return FollowCommand.follow(gateway, terminal(), client.isJson(), JobCommands.JOB, id, view);
    }
    return print(
        answer,
        () -> {
          terminal().line(id);
          terminal().note("follow it to its result: " + client.command("job follow " + id));
        });
  }
}
