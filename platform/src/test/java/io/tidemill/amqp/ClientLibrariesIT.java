package io.tidemill.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemill.support.BrokerJ;
import io.tidemill.support.RabbitMq;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Strangers' client libraries meet the same broker, inside and outside: each script is a list of
/// things that RabbitMQ does, and every one has to hold on both.
class ClientLibrariesIT {
  private static final Path SCRIPTS = Path.of("src", "test", "amqp").toAbsolutePath();
  private static final Path NODE_MODULES = Path.of("..", "target", "amqp").toAbsolutePath();
  private static final String PYTHON =
      Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";

  enum Broker {
    EMBEDDED,
    RABBITMQ;

    String url() {
      var broker =
          switch (this) {
            case EMBEDDED -> BrokerJ.shared();
            case RABBITMQ -> RabbitMq.shared();
          };
      return "amqp://guest:guest@127.0.0.1:" + broker.port();
    }
  }

  @ParameterizedTest
  @EnumSource
  void pikaFindsRabbitMq(Broker broker) throws Exception {
    assumeTrue(run(PYTHON, "-c", "import pika").exit() == 0, "python3 has no pika");

    var ran = run(PYTHON, SCRIPTS.resolve("checks.py").toString(), broker.url());

    assertThat(ran.output()).doesNotContain("FAILED").contains("ok offers_capabilities");
    assertThat(ran.exit()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aioPikaFindsRabbitMq(Broker broker) throws Exception {
    assumeTrue(run(PYTHON, "-c", "import aio_pika").exit() == 0, "python3 has no aio_pika");

    var ran = run(PYTHON, SCRIPTS.resolve("checks_async.py").toString(), broker.url());

    assertThat(ran.output()).contains("ok returns what no queue takes");
    assertThat(ran.exit()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void amqplibFindsRabbitMq(Broker broker) throws Exception {
    assumeTrue(Files.exists(NODE_MODULES.resolve("node_modules/amqplib")), "no amqplib of npm");

    var ran =
        run(
            "node",
            SCRIPTS.resolve("checks.mjs").toString(),
            broker.url(),
            NODE_MODULES.toString());

    assertThat(ran.output()).contains("ok refuses on the channel");
    assertThat(ran.exit()).isZero();
  }

  private record Ran(int exit, String output) {}

  private static Ran run(String... command) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(new ArrayList<>(List.of(command))).redirectErrorStream(true).start();
    try {
      var output = new String(process.getInputStream().readAllBytes(), UTF_8);
      process.waitFor(1, TimeUnit.MINUTES);
      return new Ran(process.exitValue(), output);
    } finally {
      process.destroyForcibly();
    }
  }
}
