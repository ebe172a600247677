package io.tidemill.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A Redis as a child process, restarted on the same port whenever it ends without being asked to.
///
/// It does not outlive this JVM, not even one that is killed. A write is on disk before it is
/// answered.
public final class RedisServer implements LocalServer {

  private static final Logger LOG = LoggerFactory.getLogger(RedisServer.class);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
  private static final Duration LOAD_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration FIRST_DELAY = Duration.ofMillis(50);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);
  private static final Duration LONG_LIFE = Duration.ofSeconds(30);
  private static final long LOG_SIZE_LIMIT = 10_000_000;

  private final Path dir;
  private final int port;
  private final String maxMemory;
  private final String appendFsync;
  private final AtomicInteger restarts = new AtomicInteger();

  private volatile @Nullable RedisProcess current;
  private @Nullable Thread supervisor;
  private @Nullable DirLock lock;

  /// @param port 0 for any free one
  public RedisServer(Path dir, int port) {
    this(dir, port, "256mb", "always");
  }

  /// @param maxMemory in the words of redis, such as `1gb`; full means writes fail, nothing is
  ///   evicted
  /// @param appendFsync `always`, or `everysec` where losing a second of answered writes is
  ///   acceptable
  public RedisServer(Path dir, int port, String maxMemory, String appendFsync) {
    this.dir = dir.toAbsolutePath().normalize();
    this.port = port == 0 ? Ports.freeOr(0) : port;
    this.maxMemory = maxMemory;
    this.appendFsync = appendFsync;
  }

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String address() {
    return "redis://127.0.0.1:" + port;
  }

  /// The process that runs now; another one after each restart.
  public long pid() {
    var running = current;
    if (running == null) throw new IllegalStateException("redis is not started");
    return running.pid();
  }

  /// How often redis had to be started again since [#start()].
  public int restarts() {
    return restarts.get();
  }

  @Override
  public synchronized void start() {
    if (lock != null) throw new IllegalStateException("redis is already started");
    try {
      lock = DirLock.of(this, dir);
      endOrphan();
      Ports.requireFree(this);
      setAsideLongLog();
      Files.writeString(config(), settings());
      var binary = RedisBinary.locate(dir);
      var first = launch(binary);
      current = first;
      restarts.set(0);
      supervisor =
          Thread.ofPlatform()
              .daemon()
              .name("redis-supervisor")
              .start(() -> supervise(binary, first));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      throw ServerException.starting(this, e);
    } catch (IOException | RuntimeException e) {
      close();
      throw ServerException.starting(this, e);
    }
  }

  @Override
  public synchronized void close() {
    endSupervisor(); // first, or it would start redis again
    var running = current;
    current = null;
    if (running != null) running.stop(STOP_LIMIT);
    if (lock != null) lock.close();
    lock = null;
  }

  private void endSupervisor() {
    var ending = supervisor;
    supervisor = null;
    if (ending == null) return;
    ending.interrupt();
    try {
      ending.join(STOP_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private RedisProcess launch(Path binary) throws IOException, InterruptedException {
    var started =
        RedisProcess.start(binary, config(), output())
            .orElseThrow(() -> new IOException(lastWords()));
    boolean ready = false;
    try {
      Files.writeString(pidFile(), started.pid() + "\n");
      awaitReady(started);
      ready = true;
      return started;
    } finally {
      if (!ready) started.stop(STOP_LIMIT);
    }
  }

  private void awaitReady(RedisProcess started) throws IOException, InterruptedException {
    long startedAt = System.nanoTime();
    while (!started.serves(port)) {
      if (started.endsWithin(POLL) || since(startedAt).compareTo(LOAD_LIMIT) > 0) {
        throw new IOException(lastWords());
      }
    }
  }

  private void supervise(Path binary, RedisProcess first) {
    var delays = new GrowingDelay(FIRST_DELAY, LONGEST_DELAY);
    var watched = first;
    try {
      while (true) {
        long startedAt = System.nanoTime();
        watched.awaitEnd();
        watched.stop(STOP_LIMIT); // in case only the shell around it ended
        if (since(startedAt).compareTo(LONG_LIFE) > 0) delays.reset();
        watched = restart(binary, delays);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private RedisProcess restart(Path binary, GrowingDelay delays) throws InterruptedException {
    while (true) {
      Thread.sleep(delays.next());
      try {
        var restarted = launch(binary);
        current = restarted;
        LOG.warn("redis had ended and runs again: restart {}", restarts.incrementAndGet());
        return restarted;
      } catch (IOException | RuntimeException e) {
        LOG.warn("redis had ended and does not run again yet: {}", e.getMessage());
      }
    }
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  /// Waits for the redis of a killed JVM, which may still be on its way out, and ends it if need
  /// be.
  private void endOrphan() throws IOException {
    if (!Files.exists(pidFile())) return;
    String pid = Files.readString(pidFile()).strip();
    if (!pid.matches("\\d{1,18}")) return;
    ProcessHandle.of(Long.parseLong(pid))
        .filter(this::isOurs)
        .ifPresent(orphan -> {
          orphan.destroy();
          RedisProcess.endOf(orphan, STOP_LIMIT);
        });
  }

  /// Process ids are reused: only a process started with our configuration file is ours.
  private boolean isOurs(ProcessHandle process) {
    var info = process.info();
    String command =
        info.commandLine().orElse("") + String.join(" ", info.arguments().orElse(new String[0]));
    return command.contains(config().toString());
  }

  private void setAsideLongLog() throws IOException {
    if (Files.exists(log()) && Files.size(log()) > LOG_SIZE_LIMIT) {
      Files.move(log(), dir.resolve("redis.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private String lastWords() {
    for (var file : List.of(output(), log())) {
      try {
        var lines = Files.exists(file) ? Files.readAllLines(file) : List.<String>of();
        var last = lines.subList(Math.max(0, lines.size() - 3), lines.size());
        if (!last.isEmpty()) return String.join(" / ", last);
      } catch (IOException unreadable) {
        LOG.debug("cannot read {}", file, unreadable);
      }
    }
    return "it left no word in " + log();
  }

  private Path config() {
    return dir.resolve("redis.conf");
  }

  private Path log() {
    return dir.resolve("redis.log");
  }

  private Path output() {
    return dir.resolve("redis.out");
  }

  private Path pidFile() {
    return dir.resolve("redis.pid");
  }

  // The process title stays as it is: by it an orphan is known.
  private String settings() {
    return """
    bind 127.0.0.1
    protected-mode yes
    port %d
    dir %s
    logfile %s
    daemonize no
    set-proc-title no
    appendonly yes
    appendfsync %s
    aof-use-rdb-preamble yes
    aof-load-truncated yes
    save ""
    stop-writes-on-bgsave-error no
    maxmemory %s
    maxmemory-policy noeviction
    tcp-keepalive 60
    timeout 0
    """
        .formatted(port, quoted(dir), quoted(log()), appendFsync, maxMemory);
  }

  private static String quoted(Path path) {
    return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
