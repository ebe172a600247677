package io.tidemill.dashboard.servers;

import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.kafka.consumer.DeadRecordPublisher;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The topics, queues and streams of the platform, the only ones that clients can read.
///
/// @param jobs the queue of jobs
record ServerChannels(JobNames jobs) {
  private static final String AUDIT = "audit";

  static final List<String> GROUPS =
      List.of(
          CrawlNames.CRAWLERS,
          CrawlNames.OUR_GATEWAYS,
          ExecutionNames.PROCESSORS,
          ExecutionNames.GATEWAYS);

  /// Topics, each followed by the topic of its dead letters.
  static List<String> topics() {
    return Stream.of(
            CrawlNames.REQUESTS,
            CrawlNames.RESPONSES,
            ExecutionNames.WORKFLOWS,
            ExecutionNames.TASKS)
        .flatMap(name -> Stream.of(name, DeadRecordPublisher.topic(name)))
        .toList();
  }

  /// Queues and their kinds: of a contract, internal, or for dead letters.
  static Map<String, String> queues() {
    var queues = new LinkedHashMap<String, String>();
    queues.put(PageNames.QUEUE, "contract");
    queues.put(CollectedNames.QUEUE, "contract");
    queues.put(PageNames.GONE, "ours");
    queues.put(PageNames.DEAD, "dead");
    queues.put(CollectedNames.DEAD, "dead");
    return queues;
  }

  /// The lock to hold while peeking into a queue: readers of dead letters take the same.
  static String lock(String queue) {
    return switch (queue) {
      case PageNames.DEAD -> "dead:" + PageNames.QUEUE;
      case CollectedNames.DEAD -> "dead:" + CollectedNames.QUEUE;
      default -> "peek:" + queue;
    };
  }

  /// Streams with a fixed name.
  List<String> streams() {
    return List.of(jobs.stream(), JobNames.DEAD, AUDIT);
  }

  /// Whether this is a stream of the platform: a fixed one, or the events of a job, crawl, workflow
  /// or task.
  boolean isStream(String name) {
    return streams().contains(name) || isEvents(name);
  }

  private static boolean isEvents(String name) {
    var colon = name.indexOf(':');
    if (colon < 0 || !name.endsWith(JobNames.EVENTS_SUFFIX)) return false;
    var end = name.length() - JobNames.EVENTS_SUFFIX.length();
    if (end <= colon) return false;
    var id = name.substring(colon + 1, end);
    return switch (name.substring(0, colon)) {
      case "job" -> JobNames.isId(id) && name.equals(JobNames.events(id));
      case "crawl" -> CrawlNames.isId(id) && name.equals(CrawlNames.events(id));
      case "workflow" -> ExecutionNames.isId(id) && name.equals(ExecutionKind.WORKFLOW.events(id));
      case "task" -> ExecutionNames.isId(id) && name.equals(ExecutionKind.TASK.events(id));
      default -> false;
    };
  }
}
