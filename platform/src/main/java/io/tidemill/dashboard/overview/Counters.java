package io.tidemill.dashboard.overview;

import io.tidemill.contract.collected.CollectedNames;
import java.util.List;

/// What of each channel can be counted, for rates.
final class Counters {
  private Counters() {}

  /// What can be counted, for the rates of later.
  static Rates.Counts of(Snapshot found) {
    var counts = new Rates.Counts();
    for (var contract : Contract.values()) {
      switch (contract.carrier) {
        case KAFKA -> countKafka(found, contract, counts);
        case REDIS -> countJobs(found, counts);
        case AMQP -> countAmqp(found, contract, counts);
      }
    }
    return counts;
  }

  private static void countKafka(Snapshot found, Contract contract, Rates.Counts counts) {
    var progress = found.progress(contract);
    if (progress != null) {
      counts.add(in(contract), "", (double) progress.end());
      counts.add(out(contract), "", (double) progress.committed());
    }
    for (var outcome : List.of("dead", "retry", "unburied")) {
      count(
          found,
          errors(contract),
          Figures.name("kafka.consumer.handled", contract.group(), outcome),
          counts);
    }
  }

  private static void countJobs(Snapshot found, Rates.Counts counts) {
    var jobs = found.jobs().value();
    if (jobs != null) {
      counts.add(in(Contract.JOBS), "", (double) jobs.accepted());
      counts.add(
          out(Contract.JOBS),
          "",
          (double) (jobs.accepted() - jobs.inLine() - jobs.unread() - jobs.pending()));
    }
    for (var end : List.of("error", "malformed")) {
      count(found, errors(Contract.JOBS), Figures.name("worker.deliveries", end), counts);
    }
  }

  private static void countAmqp(Snapshot found, Contract contract, Rates.Counts counts) {
    var key = contract == Contract.COLLECTED ? CollectedNames.ROUTING_KEY : contract.channel;
    count(found, in(contract), Figures.name("amqp.published.by.key", key), counts);
    for (var as : List.of("ack", "dead")) {
      count(found, out(contract), Figures.name("amqp.settled", contract.channel, as), counts);
    }
    for (var as : List.of("dead", "retry", "requeue")) {
      count(found, errors(contract), Figures.name("amqp.settled", contract.channel, as), counts);
    }
  }

  private static void count(Snapshot found, String name, String figure, Rates.Counts counts) {
    for (var seen : found.alive()) {
      var value = seen.process().figures().get(figure);
      counts.add(name, seen.process().id(), value == null ? 0 : value);
    }
  }

  static String in(Contract contract) {
    return contract.name() + " in";
  }

  static String out(Contract contract) {
    return contract.name() + " out";
  }

  static String errors(Contract contract) {
    return contract.name() + " errors";
  }
}
