package io.tidemill.cli.job;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.client.PayloadText;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.contract.job.JobTask;
import io.tidemill.json.Json;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill job TASK [JSON]`; the subcommands look at jobs that exist.
@Command(
    name = "job",
    description = "Submit a job and, if you like, follow it to its end.",
    footer = "tidemill job tool '{\"name\":\"sleep\",\"arguments\":{\"ms\":3000}}' --follow")
final class JobCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

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
    this.session = session;
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
    body.set("payload", PayloadText.read("JSON", payload, session.terminal().in()));
    if (ttl != null) body.put("ttl_s", ttl);
    var gateway = client.gateway(session);
    var headers =
        idempotencyKey == null
            ? Map.<String, String>of()
            : Map.of("Idempotency-Key", idempotencyKey);

    var answer = gateway.post(JobCommands.PATH, body, headers);
    return follow ? follow(gateway, answer) : print(answer);
  }

  private int follow(GatewayClient gateway, JsonNode answer) {
    var terminal = session.terminal();
    return FollowCommand.follow(
        gateway,
        terminal,
        client.isJson(),
        JobCommands.JOB,
        id(answer),
        new JobFollowView(terminal));
  }

  private int print(JsonNode answer) {
    var terminal = session.terminal();
    if (client.isJson()) {
      terminal.json(answer);
      return ExitCode.OK;
    }
    terminal.line(id(answer));
    terminal.note("follow it to its result: " + client.command("job follow " + id(answer)));
    return ExitCode.OK;
  }

  private static String id(JsonNode answer) {
    return Terminal.clean(answer.path("job_id").asString(""));
  }
}
