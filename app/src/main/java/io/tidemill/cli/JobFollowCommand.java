package io.tidemill.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `tidemill job follow ID`
@Command(
    name = "follow",
    description = "Show what happens to a job, from its beginning to its end, then the result.",
    footer = "tidemill job follow 0f8fad5b-d9cb-469f-a165-70867728950e")
final class JobFollowCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(paramLabel = "ID", description = "The job's id.")
  private String id = "";

  JobFollowCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return new JobFollow(client.gateway(session), session.terminal(), client.isJson()).follow(id);
  }
}
