package io.tidemill.app;

import io.tidemill.broker.amqp.Topology;
import io.tidemill.broker.kafka.Topics;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.page.PageNames;
import java.util.List;
import java.util.stream.Stream;

/// The names of the contracts, made on whichever brokers there are, before anybody needs them.
final class Provision {
  private Provision() {}

  /// Topics of C1 and C2, with C2.1's settings.
  static void topics(Topics topics) throws InterruptedException {
    topics.provision(
        Stream.of(CrawlNames.REQUESTS, CrawlNames.RESPONSES, FlowNames.WORKFLOWS, FlowNames.TASKS)
            .map(name -> new Topics.Wanted(name, FlowNames.PARTITIONS, FlowNames.RETENTION))
            .toList());
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
