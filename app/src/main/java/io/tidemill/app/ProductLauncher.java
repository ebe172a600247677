package io.tidemill.app;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.app.upgrade.Upgrade;
import io.tidemill.app.wiring.DataConfig;
import io.tidemill.app.wiring.IndexFolder;
import io.tidemill.app.wiring.Role;
import io.tidemill.bench.BenchReport;
import io.tidemill.bench.BenchTable;
import io.tidemill.bench.CrawlBench;
import io.tidemill.bench.EmbedBench;
import io.tidemill.bench.EventsBench;
import io.tidemill.bench.IndexBench;
import io.tidemill.bench.JobsBench;
import io.tidemill.bench.PagesBench;
import io.tidemill.bench.SearchBench;
import io.tidemill.cli.client.Commands.BenchRequest;
import io.tidemill.cli.client.Commands.Finding;
import io.tidemill.cli.client.Commands.Launcher;
import io.tidemill.cli.client.Commands.RunRequest;
import io.tidemill.cli.client.Commands.UpRequest;
import io.tidemill.cli.client.Commands.VectorsProgress;
import io.tidemill.cli.client.Version;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.embedding.EmbeddingException;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.lucene.IndexSnapshot;
import io.tidemill.lucene.SearchException;
import io.tidemill.provision.ContractProvisioner;
import io.tidemill.search.index.IndexRebuild;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the commands start.
final class ProductLauncher implements Launcher {
  private static final Logger log = LoggerFactory.getLogger(ProductLauncher.class);

  private final Map<String, String> env;
  private final PrintStream out;
  private final long beganNanos;

  ProductLauncher(Map<String, String> env, PrintStream out, long beganNanos) {
    this.env = env;
    this.out = out;
    this.beganNanos = beganNanos;
  }

  @Override
  public int up(UpRequest request) {
    var roles = Role.of(request.only());
    var settings = settings(request.overrides(), request.configFile());
    var data = settings.section(DataConfig.class).dir();
    return runUntilStopped(
        settings,
        running -> {
          var addresses = running.up(roles);
          var took = Duration.ofNanos(System.nanoTime() - beganNanos);
          AotCache.makeIfMissing();
          return ReadyTable.of(addresses, data, roles.stream().map(Role::wire).toList(), took);
        });
  }

  @Override
  public int run(RunRequest request) {
    var roles = Role.of(request.roles());
    var settings = settings(request.overrides(), request.configFile());
    return runUntilStopped(
        settings,
        running ->
            "%s ready; health and metrics at %s%n"
                .formatted(Role.wires(roles), running.run(roles).http()));
  }

  private int runUntilStopped(Settings settings, Function<RunningInstance, String> start) {
    var running = new RunningInstance(settings, InstantSource.system());
    var hook = Thread.ofPlatform().name("stop").unstarted(() -> stop(running));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      out.print(start.apply(running));
      out.flush();
      running.await();
      return 0;
    } catch (InterruptedException stop) {
      return 130;
    } catch (RuntimeException failed) {
      if (running.isClosed()) return 130; // stopped while it started
      Runtime.getRuntime().removeShutdownHook(hook);
      running.close();
      throw failed instanceof SettingsException wrong
          ? wrong
          : new SettingsException("could not start: " + reason(failed), failed);
    }
  }

  private static void stop(RunningInstance running) {
    log.info("stopping");
    running.close();
    log.info("stopped");
  }

  private static String reason(Throwable failed) {
    var message = failed.getMessage();
    return message == null
        ? failed.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  @Override
  public List<Finding> doctor(Map<String, String> overrides, Optional<Path> configFile) {
    return new Doctor(settings(overrides, configFile)).findings();
  }

  @Override
  public int bench(BenchRequest request) {
    settings(request.overrides(), request.configFile());
    try {
      out.print(measured(request));
      return 0;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      return 130;
    }
  }

  private static String measured(BenchRequest request) throws IOException, InterruptedException {
    var quick = request.quick();
    var overrides = request.overrides();
    return switch (request.what()) {
      case "jobs" -> {
        var figures = new JobsBench(quick, overrides).run();
        yield request.json() ? BenchTable.json(figures) : BenchTable.text(figures);
      }
      case "crawl" -> shown(CrawlBench.of(quick, overrides).run(), request);
      case "index" -> shown(IndexBench.of(quick, overrides).run(), request);
      case "search" -> shown(SearchBench.of(quick, overrides).run(), request);
      case "events" -> shown(EventsBench.of(quick, overrides).run(), request);
      case "embed" -> shown(EmbedBench.of(quick).run(), request);
      case "pages" -> shown(PagesBench.of(quick, overrides).run(), request);
      default -> throw new SettingsException("there is no benchmark '" + request.what() + "'");
    };
  }

  private static String shown(BenchReport report, BenchRequest request) {
    return request.json() ? report.json() : report.text();
  }

  @Override
  public void snapshot(Path target, Map<String, String> overrides, Optional<Path> configFile) {
    try {
      IndexSnapshot.take(IndexFolder.of(ofKnownFormat(overrides, configFile)), target);
    } catch (SearchException failed) {
      throw new SettingsException(reason(failed), failed);
    }
  }

  @Override
  public long rebuild(Map<String, String> overrides, Optional<Path> configFile) {
    try {
      return IndexRebuild.run(
          IndexFolder.of(ofKnownFormat(overrides, configFile)), InstantSource.system());
    } catch (SearchException failed) {
      throw new SettingsException(reason(failed), failed);
    }
  }

  @Override
  public void vectors(
      boolean again,
      Map<String, String> overrides,
      Optional<Path> configFile,
      VectorsProgress progress) {
    try {
      new VectorRun(ofKnownFormat(overrides, configFile), progress).run(again);
    } catch (SearchException | EmbeddingException failed) {
      throw new SettingsException(reason(failed), failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int warm(Path scratch) {
    try {
      return Warmup.run(scratch);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      return 130;
    }
  }

  // For commands that open files of the data folder themselves.
  private Settings ofKnownFormat(Map<String, String> overrides, Optional<Path> file) {
    var settings = settings(overrides, file);
    new Upgrade(Version.current()).check(settings.section(DataConfig.class).dir());
    return settings;
  }

  private Settings settings(Map<String, String> overrides, Optional<Path> file) {
    var settings = Settings.load(file.orElse(null), env, overrides, SettingSections.ALL);
    Logging.apply(settings.section(LogConfig.class));
    var problems = new ArrayList<String>();
    check(
        problems,
        () ->
            HttpServer.check(
                settings.section(HttpConfig.class), settings.section(ApiConfig.class)));
    check(problems, () -> ContractProvisioner.check(settings.section(KafkaConfig.class)));
    check(problems, () -> ContractProvisioner.check(settings.section(AmqpConfig.class)));
    if (!problems.isEmpty()) throw new SettingsException(problems);
    return settings;
  }

  private static void check(List<String> problems, Runnable check) {
    try {
      check.run();
    } catch (SettingsException | IllegalArgumentException wrong) {
      problems.add(String.valueOf(wrong.getMessage()));
    }
  }
}
