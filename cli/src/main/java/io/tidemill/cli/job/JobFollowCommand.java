package io.tidemill.cli.job;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill job follow ID`
@Command(
    name = "follow",
    description = "Show what happens to a job, from its beginning to its end, then the result.",
    footer = "tidemill job follow 0f8fad5b-d9cb-469f-a165-70867728950e")
public final class JobFollowCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The job's id.")
  private String id = "";

  public JobFollowCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return new JobFollower(client.gateway(session), session.terminal(), client.isJson()).follow(id);
  }
}
