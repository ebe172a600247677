package io.tidemill.dashboard.overview;

import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.ExecutionNames;
import java.util.Locale;

/// The channels between roles, in the order of the page.
enum ContractChannels {
  CRAWL_REQUESTS("C1", Carrier.KAFKA, CrawlNames.REQUESTS, "gateway", "crawler"),
  CRAWL_RESPONSES("C1", Carrier.KAFKA, CrawlNames.RESPONSES, "crawler", "gateway"),
  WORKFLOWS("C2", Carrier.KAFKA, ExecutionNames.WORKFLOWS, "gateway", "processor"),
  TASKS("C2", Carrier.KAFKA, ExecutionNames.TASKS, "gateway", "processor"),
  JOBS("C3", Carrier.REDIS, "jobs:stream", "gateway", "worker"),
  PAGES("C4", Carrier.AMQP, PageNames.QUEUE, "crawler", "indexer"),
  COLLECTED("C5", Carrier.AMQP, CollectedNames.QUEUE, "crawler", "collector");

  /// The server that carries a channel.
  enum Carrier {
    KAFKA("Kafka"),
    REDIS("Redis"),
    AMQP("The AMQP broker");

    final String title;

    Carrier(String title) {
      this.title = title;
    }

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  final String id;
  final Carrier carrier;
  final String channel;
  final String from;
  final String to;

  ContractChannels(String id, Carrier carrier, String channel, String from, String to) {
    this.id = id;
    this.carrier = carrier;
    this.channel = channel;
    this.from = from;
    this.to = to;
  }

  /// The group that reads it, in Kafka; empty elsewhere.
  String group() {
    return switch (this) {
      case CRAWL_REQUESTS -> CrawlNames.CRAWLERS;
      case CRAWL_RESPONSES -> CrawlNames.OUR_GATEWAYS;
      case WORKFLOWS, TASKS -> ExecutionNames.PROCESSORS;
      case JOBS, PAGES, COLLECTED -> "";
    };
  }

  /// A number of its messages in words, such as `2 jobs`.
  String counted(long count) {
    var one = count == 1;
    return count
        + " "
        + switch (this) {
          case CRAWL_REQUESTS -> one ? "crawl request" : "crawl requests";
          case CRAWL_RESPONSES -> one ? "answer of a crawl" : "answers of crawls";
          case WORKFLOWS -> one ? "workflow" : "workflows";
          case TASKS -> one ? "task" : "tasks";
          case JOBS -> one ? "job" : "jobs";
          case PAGES -> one ? "page" : "pages";
          case COLLECTED -> one ? "batch" : "batches";
        };
  }

  /// The health check of the reading role for this channel.
  String check() {
    return switch (this) {
      case CRAWL_REQUESTS -> "crawler";
      case CRAWL_RESPONSES -> "crawls";
      case WORKFLOWS, TASKS -> "processor";
      case JOBS -> "redis";
      case PAGES -> "indexer";
      case COLLECTED -> "collector";
    };
  }

  /// The setting for the slots of one process of the reading role; empty when there is none.
  String slotsKey() {
    return switch (this) {
      case CRAWL_REQUESTS -> "crawler.fetchers";
      case WORKFLOWS -> "processor.workflows";
      case TASKS -> "processor.tasks";
      case JOBS -> "worker.slots";
      case CRAWL_RESPONSES, PAGES, COLLECTED -> "";
    };
  }
}
