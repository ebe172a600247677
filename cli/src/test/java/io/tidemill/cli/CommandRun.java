package io.tidemill.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;

/// Commands against a gateway of the test's own, and what they print.
public final class CommandRun implements AutoCloseable {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> env = new HashMap<>();
  private final FakeGateway gateway = new FakeGateway();

  public CommandRun() throws IOException {
    env.put("TIDEMILL_HTTP_URL", gateway.url());
  }

  public FakeGateway gateway() {
    return gateway;
  }

  /// From now on somebody watches, at a terminal of this width.
  public CommandRun watched(int columns) {
    env.put(Terminal.WATCHED, "1");
    env.put("COLUMNS", String.valueOf(columns));
    return this;
  }

  public CommandRun with(String name, String value) {
    env.put(name, value);
    return this;
  }

  /// Returns the exit code.
  public int run(String... arguments) {
    return Cli.run(
        arguments,
        new FakeLauncher(),
        env,
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8),
        InputStream.nullInputStream());
  }

  public String out() {
    return out.toString(UTF_8);
  }

  public String err() {
    return err.toString(UTF_8);
  }

  @Override
  public void close() {
    gateway.close();
  }
}
