package io.tidemill.dashboard.overview;

import io.tidemill.contract.collected.CollectedNames;
import java.util.List;

/// The counters of each channel, for rates.
final class ChannelCounters {
  private ChannelCounters() {}

  static CounterRates.Counts of(OverviewSnapshot found) {
    var counts = new CounterRates.Counts();
    for (var contract : ContractChannels.values()) {
      switch (contract.carrier) {
        case KAFKA -> countKafka(found, contract, counts);
        case REDIS -> countJobs(found, counts);
        case AMQP -> countAmqp(found, contract, counts);
      }
    }
    return counts;
  }

  private static void countKafka(
      OverviewSnapshot found, ContractChannels contract, CounterRates.Counts counts) {
    var progress = found.progress(contract);
    if (progress != null) {
      counts.add(in(contract), "", (double) progress.end());
      counts.add(out(contract), "", (double) progress.committed());
    }
    for (var outcome : List.of("dead", "retry", "unburied")) {
      count(
          found,
          errors(contract),
          ProcessFigures.name("kafka.consumer.handled", contract.group(), outcome),
          counts);
    }
  }

  private static void countJobs(OverviewSnapshot found, CounterRates.Counts counts) {
    var jobs = found.jobs().value();
    if (jobs != null) {
      counts.add(in(ContractChannels.JOBS), "", (double) jobs.accepted());
      counts.add(
          out(ContractChannels.JOBS),
          "",
          (double) (jobs.accepted() - jobs.inLine() - jobs.unread() - jobs.pending()));
    }
    for (var end : List.of("error", "malformed")) {
      count(
          found,
          errors(ContractChannels.JOBS),
          ProcessFigures.name("worker.deliveries", end),
          counts);
    }
  }

  private static void countAmqp(
      OverviewSnapshot found, ContractChannels contract, CounterRates.Counts counts) {
    var key =
        contract == ContractChannels.COLLECTED ? CollectedNames.ROUTING_KEY : contract.channel;
    count(found, in(contract), ProcessFigures.name("amqp.published.by.key", key), counts);
    for (var as : List.of("ack", "dead")) {
      count(
          found, out(contract), ProcessFigures.name("amqp.settled", contract.channel, as), counts);
    }
    for (var as : List.of("dead", "retry", "requeue")) {
      count(
          found,
          errors(contract),
          ProcessFigures.name("amqp.settled", contract.channel, as),
          counts);
    }
  }

  private static void count(
      OverviewSnapshot found, String name, String figure, CounterRates.Counts counts) {
    for (var seen : found.alive()) {
      var value = seen.process().figures().get(figure);
      counts.add(name, seen.process().id(), value == null ? 0 : value);
    }
  }

  static String in(ContractChannels contract) {
    return contract.name() + " in";
  }

  static String out(ContractChannels contract) {
    return contract.name() + " out";
  }

  static String errors(ContractChannels contract) {
    return contract.name() + " errors";
  }
}
