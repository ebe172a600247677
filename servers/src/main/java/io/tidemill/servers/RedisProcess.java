package io.tidemill.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// One run of the redis program: a child of this JVM that does not outlive it.
final class RedisProcess {

  // A pipe from this JVM is the shell's input. It closes when the JVM ends, in whatever way, and
  // then redis is asked to end. The shell itself ends when redis does.
  private static final String SHELL =
      """
      exec 3<&0 </dev/null
      "$1" "$2" >"$3" 2>&1 3<&- &
      redis=$!
      (
        read -r line <&3
        kill -TERM $redis
        for i in 1 2 3 4 5; do sleep 1; kill -0 $redis || exit; done
        kill -KILL $redis
      ) >/dev/null 2>&1 &
      watch=$!
      echo $redis
      exec >/dev/null
      wait $redis
      status=$?
      kill -KILL $watch 2>/dev/null
      exit $status
      """;

  // A session of its own: Ctrl-C in the terminal reaches this JVM, which stops redis when it is
  // done.
  private static final String OWN_SESSION =
      """
      if command -v setsid >/dev/null; then exec setsid "$@"; fi
      if command -v perl >/dev/null; then exec perl -e 'use POSIX; POSIX::setsid(); exec @ARGV' "$@"; fi
      exec "$@"
      """;

  private final Process shell;
  private final ProcessHandle redis;

  private RedisProcess(Process shell, ProcessHandle redis) {
    this.shell = shell;
    this.redis = redis;
  }

  /// Nothing if redis ended at once.
  ///
  /// @param output takes the little that redis prints before it opens its log
  static Optional<RedisProcess> start(Path binary, Path config, Path output) throws IOException {
    var command = new ArrayList<>(List.of("/bin/sh", "-c", OWN_SESSION, "tidemill-redis"));
    command.addAll(List.of("/bin/sh", "-c", SHELL, "tidemill-redis"));
    command.addAll(List.of(binary.toString(), config.toString(), output.toString()));
    var shell = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    long pid = Long.parseLong(firstLine(shell));
    return ProcessHandle.of(pid).map(redis -> new RedisProcess(shell, redis));
  }

  private static String firstLine(Process shell) throws IOException {
    try (BufferedReader lines = shell.inputReader(StandardCharsets.US_ASCII)) {
      String line = lines.readLine();
      if (line == null) throw new IOException("/bin/sh ended before it started redis");
      return line;
    }
  }

  long pid() {
    return redis.pid();
  }

  /// Returns when redis, or the shell that watches over it, has ended.
  void awaitEnd() throws InterruptedException {
    shell.waitFor();
  }

  boolean endsWithin(Duration limit) throws InterruptedException {
    return shell.waitFor(limit);
  }

  /// Ends redis: by SIGTERM, then by force.
  void stop(Duration limit) {
    redis.destroy();
    try {
      shell.getOutputStream().close();
    } catch (IOException alreadyClosed) {
      // the shell has ended
    }
    endOf(redis, limit);
    shell.destroyForcibly();
  }

  /// Waits for a process to end, then ends it by force.
  static void endOf(ProcessHandle process, Duration limit) {
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
    }
  }

  /// Whether this very process, and no other redis, serves the port and has loaded its data.
  boolean serves(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(Ports.LOOPBACK, port), 1_000);
      socket.setSoTimeout(1_000);
      socket.getOutputStream().write("INFO\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
      String info = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return info.contains("\nprocess_id:" + pid() + "\r\n") && info.contains("\nloading:0\r\n");
    } catch (IOException notYet) {
      return false;
    }
  }
}
