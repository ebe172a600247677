package io.tidemill.provision;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.Topology;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.kafka.consumer.DeadRecordPublisher;
import java.util.List;
import java.util.stream.Stream;

/// The topics and queues of the contracts, created before a role publishes to them.
public final class ContractProvisioner {
  private static final List<String> TOPICS =
      List.of(
          CrawlNames.REQUESTS,
          CrawlNames.RESPONSES,
          ExecutionNames.WORKFLOWS,
          ExecutionNames.TASKS);

  /// The consumer groups of all topics.
  public static final List<String> GROUPS =
      List.of(
          CrawlNames.CRAWLERS,
          CrawlNames.OUR_GATEWAYS,
          ExecutionNames.PROCESSORS,
          ExecutionNames.GATEWAYS);

  private ContractProvisioner() {}

  /// Every topic of C1 and C2, including those of dead letters.
  public static List<String> allTopics() {
    return TOPICS.stream()
        .flatMap(name -> Stream.of(name, DeadRecordPublisher.topic(name)))
        .toList();
  }

  /// Creates the topics of C1 and C2 on a broker.
  public static void create(KafkaConfig kafka) throws InterruptedException {
    try (var topics = new TopicProvisioner(kafka)) {
      create(topics);
    }
  }

  /// Refuses other names for groups and topics that there are not.
  public static void check(KafkaConfig kafka) {
    var groups = Stream.concat(GROUPS.stream(), Stream.of(CrawlNames.GATEWAYS)).toList();
    kafka.groupNames().check(groups);
    kafka.topicNames().check(TOPICS, allTopics());
  }

  /// Refuses other names for queues and exchanges that there are not.
  public static void check(AmqpConfig amqp) {
    amqp.queueNames()
        .check(
            List.of(PageNames.QUEUE, CollectedNames.QUEUE),
            List.of(PageNames.GONE, PageNames.DEAD, CollectedNames.DEAD));
    amqp.exchangeNames().check(List.of(CollectedNames.EXCHANGE));
  }

  /// Creates the topics of C1 and C2, with the settings of C2.1. The groups of C2.5 read everything
  /// published from now on, no matter when they start.
  public static void create(TopicProvisioner topics) throws InterruptedException {
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

  /// Creates the queues of C4 and C5 on a broker.
  public static void create(AmqpConfig amqp) {
    try (var topology = new Topology(amqp)) {
      create(topology);
    }
  }

  /// Creates the queues and the exchange of C4 and C5, including those of dead letters.
  public static void create(Topology topology) {
    topology.provision(
        List.of(PageNames.QUEUE, PageNames.GONE, PageNames.DEAD, CollectedNames.DEAD),
        List.of(
            new Topology.Bound(
                CollectedNames.EXCHANGE, CollectedNames.QUEUE, CollectedNames.ROUTING_KEY)));
  }
}
