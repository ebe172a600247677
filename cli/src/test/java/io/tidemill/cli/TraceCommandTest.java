package io.tidemill.cli;

import static io.tidemill.cli.FakeGateway.Canned.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.cli.terminal.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TraceCommandTest {
  private static final String TRACE =
      """
      {"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","truncated":false,"spans":[
        {"spanId":"a","parentId":null,"name":"POST /v1/jobs","kind":"http","role":"gateway",
         "startUs":1000000,"durationUs":2000,"error":null,"attributes":{}},
        {"spanId":"c","parentId":"b","name":"tool http_get","kind":"job","role":"worker",
         "startUs":1006000,"durationUs":4000,"error":"no answer","attributes":{}},
        {"spanId":"b","parentId":"a","name":"tool","kind":"job","role":"worker",
         "startUs":1005000,"durationUs":5000,"error":null,"attributes":{}}]}
      """;

  private final CommandRun command = new CommandRun();
  private final FakeGateway gateway = command.gateway();

  TraceCommandTest() throws IOException {}

  @AfterEach
  void stopTheGateway() {
    command.close();
  }

  @Test
  void drawsEachSpanBelowItsParent() {
    gateway.on("GET /api/traces/4bf92f3577b34da6a3ce929d0e0e4736", json(200, TRACE));

    assertThat(command.run("trace", "4bf92f3577b34da6a3ce929d0e0e4736")).isZero();

    assertThat(command.out())
        .isEqualTo(
            """
            POST /v1/jobs                    gateway    ####                          2.0 ms
              tool                           worker                ###########        5.0 ms
                tool http_get                worker                  #########        4.0 ms
                  no answer
            """);
  }

  @Test
  void findsTheTraceThatAJobBeganWith() {
    gateway.on(
        "GET /api/traces?object=job%3Ax&limit=20",
        json(200, "{\"traces\":[{\"traceId\":\"2\"},{\"traceId\":\"1\"}]}"));
    gateway.on("GET /api/traces/1", json(200, TRACE));

    assertThat(command.run("trace", "job:x", "--json")).isZero();

    assertThat(command.out()).contains("POST /v1/jobs");
  }

  @Test
  void saysWhenThereIsNone() {
    gateway.on("GET /api/traces?object=job%3Ax&limit=20", json(200, "{\"traces\":[]}"));

    assertThat(command.run("trace", "job:x")).isEqualTo(ExitCode.FAILED);

    assertThat(command.err()).contains("there is no trace of job:x");
  }
}
