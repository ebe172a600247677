package io.tidemill.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.processor.ProcessorMain;
import io.tidemill.processor.WorkflowRig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Does once what child JVMs do, so that the JVM learns which classes that takes (see
/// [ChildClasses]).
public final class CrashRehearsal {
  private CrashRehearsal() {}

  /// Every role in one process, which works for the servers of this one and writes the archive when
  /// it ends.
  static void archive(Path archive, String classPath) {
    try (var site = site();
        var crawls = CrawlPlatform.servers();
        var flows = new WorkflowRig()) {
      crawls.gateway();
      var arguments =
          new ArrayList<>(
              List.of(
                  flows.redisServer().address(),
                  String.valueOf(flows.redisServer().port()),
                  flows.kafka().config().bootstrap()));
      arguments.addAll(crawls.settingsList());
      var options =
          List.of(
              "-XX:TieredStopAtLevel=1",
              "-Xmx512m",
              "-XX:ArchiveClassesAtExit=" + archive,
              "-Xlog:disable",
              "-cp",
              classPath);
      try (var roles = ChildJvm.start(options, CrashRehearsal.class, arguments)) {
        roles.awaitReady();
        crawls.crawled(site.url("/"));
        crawls.awaitFound("rehearsed", 1);
        var workflow = flows.workflow("one", "two", "three");
        flows.awaitStatus(ExecutionKind.WORKFLOW, workflow, ExecutionStatus.COMPLETED);
        roles.stop();
      }
    }
  }

  private static TestSite site() {
    var page = "<title>rehearsed</title><a href=#>again</a>".getBytes(UTF_8);
    return TestSite.start().answer("/", 200, Map.of("Content-Type", "text/html"), page);
  }

  /// @param arguments Redis' address, Redis' own port and Kafka's address for flows, then settings
  ///   for crawls
  public static void main(String[] arguments) throws InterruptedException {
    var settings = CrawlPlatform.settings(List.of(arguments).subList(3, arguments.length));
    try (var _ = CrawlPlatform.crawler(settings);
        var _ = CrawlPlatform.indexer(settings);
        var jobs = JobPlatform.whole()) {
      for (var tool : List.of("echo", "sleep", "emit")) {
        jobs.awaitEnd(jobs.submit(tool, "{\"n\":1,\"ms\":1}"));
      }
      var flows = Arrays.copyOf(arguments, 4);
      flows[3] = "rehearsal";
      ProcessorMain.main(flows); // says that it is ready, and never ends
    }
  }
}
