package io.tidemill.app;

import io.tidemill.broker.amqp.Topology;
import io.tidemill.broker.kafka.DeadLetters;
import io.tidemill.broker.kafka.Topics;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.page.PageNames;
import java.util.List;
import java.util.stream.Stream;

/// The names of the contracts, made on whichever brokers there are, before anybody needs them.
final class Provision {
  private static final List<String> TOPICS =
      List.of(CrawlNames.REQUESTS, CrawlNames.RESPONSES, FlowNames.WORKFLOWS, FlowNames.TASKS);

  /// Who reads them.
  static final List<String> GROUPS =
      List.of(CrawlNames.CRAWLERS, CrawlNames.GATEWAYS, FlowNames.PROCESSORS, FlowNames.GATEWAYS);

  private Provision() {}

  /// Every topic of C1 and C2, those of their dead letters among them.
  static List<String> allTopics() {
    return TOPICS.stream().flatMap(name -> Stream.of(name, DeadLetters.topic(name))).toList();
  }

  /// Topics of C1 and C2, with C2.1's settings; what is published from now on is read by C2's
  /// groups (C2.5), whenever they start.
  static void topics(Topics topics) throws InterruptedException {
    topics.provision(
        TOPICS.stream()
            .map(name -> new Topics.Wanted(name, FlowNames.PARTITIONS, FlowNames.RETENTION))
            .toList());
    for (var group : List.of(FlowNames.PROCESSORS, FlowNames.GATEWAYS)) {
      topics.pin(group, List.of(FlowNames.WORKFLOWS, FlowNames.TASKS));
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
