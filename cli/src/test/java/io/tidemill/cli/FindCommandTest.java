package io.tidemill.cli;

import static io.tidemill.cli.FakeGateway.Canned.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.cli.terminal.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FindCommandTest {
  private final CommandRun command = new CommandRun();
  private final FakeGateway gateway = command.gateway();

  FindCommandTest() throws IOException {}

  @AfterEach
  void stopTheGateway() {
    command.close();
  }

  @Test
  void showsWhatWasFound() {
    gateway.on(
        "GET /api/find?q=alice%40example.org%20boots&kind=dead&limit=2",
        json(
            200,
            """
            {"hits":[{"kind":"dead","id":"jobs-1","title":"POISON: \\u001b[31mred","text":"the text",
              "status":"dead","at":1767489567123,"source":"jobs"}],
             "total":5,"tookMs":3,"indexed":9,"behind":1,"skipped":2}
            """));

    assertThat(command.run("find", "alice@example.org", "boots", "--kind", "dead", "--limit", "2"))
        .isZero();

    assertThat(command.out())
        .isEqualTo(
            """
            dead     jobs-1  2026-01-04T01:19:27Z dead in jobs
                POISON: [31mred
                the text
            """);
    assertThat(command.err())
        .contains(
            "4 more", "1 change can't be found yet", "2 changes came too fast and can't be found");
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThat(command.run("find", "x", "--kind", "page")).isEqualTo(ExitCode.USAGE);
    assertThat(command.err()).contains("--kind is 'page'", "job, workflow, task, crawl, dead");
  }
}
