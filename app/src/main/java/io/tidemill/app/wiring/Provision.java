package io.tidemill.app.wiring;

import io.tidemill.amqp.Topology;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.kafka.consumer.DeadRecordPublisher;
import java.util.List;
import java.util.stream.Stream;

/// The names of the contracts, made on whichever brokers there are, before anybody needs them.
public final class Provision {
  private static final List<String> TOPICS =
      List.of(
          CrawlNames.REQUESTS,
          CrawlNames.RESPONSES,
          ExecutionNames.WORKFLOWS,
          ExecutionNames.TASKS);

  /// Who reads them.
  public static final List<String> GROUPS =
      List.of(
          CrawlNames.CRAWLERS,
          CrawlNames.GATEWAYS,
          ExecutionNames.PROCESSORS,
          ExecutionNames.GATEWAYS);

  private Provision() {}

  /// Every topic of C1 and C2, those of their dead letters among them.
  static List<String> allTopics() {
    return TOPICS.stream()
        .flatMap(name -> Stream.of(name, DeadRecordPublisher.topic(name)))
        .toList();
  }

  /// Topics of C1 and C2, with C2.1's settings; what is published from now on is read by C2's
  /// groups (C2.5), whenever they start.
  static void topics(TopicProvisioner topics) throws InterruptedException {
    topics.provision(
        TOPICS.stream()
            .map(name ->
                new TopicProvisioner.Wanted(
                    name, ExecutionNames.PARTITIONS, ExecutionNames.RETENTION))
            .toList());
    for (var group : List.of(ExecutionNames.PROCESSORS, ExecutionNames.GATEWAYS)) {
      topics.pin(group, List.of(ExecutionNames.WORKFLOWS, ExecutionNames.TASKS));
    }
  }

  /// Queues and exchange of C4 and C5, with their dead letters.
  static void queues(Topology topology) {
    topology.provision(
        List.of(
            new Topology.Queue(PageNames.QUEUE),
            new Topology.Queue(PageNames.GONE),
            new Topology.Queue(PageNames.DEAD),
            new Topology.Queue(CollectedNames.DEAD)),
        List.of(
            new Topology.Bound(
                CollectedNames.EXCHANGE, CollectedNames.QUEUE, CollectedNames.ROUTING_KEY)));
  }
}
