package io.tidemill.dashboard.overview;

import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.Presence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts what a look found in order: each channel as it stands.
final class Channels {
  private final Snapshot found;
  private final Waits waits;
  private final Rates rates;

  Channels(Snapshot found, Waits waits, Rates rates) {
    this.found = found;
    this.waits = waits;
    this.rates = rates;
  }

  Channel of(Contract contract) {
    return switch (contract) {
      case CRAWL_REQUESTS -> crawlRequests();
      case CRAWL_RESPONSES -> crawlResponses();
      case WORKFLOWS -> flows(contract, found.workflows(), "workflow");
      case TASKS -> flows(contract, found.tasks(), "task");
      case JOBS -> jobs();
      case PAGES, COLLECTED -> queue(contract);
    };
  }

  // Commits come a few seconds late: what the readers themselves say is nearer to the truth, as
  // long as all of them do.
  private @Nullable Long lag(Contract contract) {
    var progress = found.progress(contract);
    if (progress == null) return found.kafka().value() == null ? null : Long.valueOf(0);
    var name = Figures.name("kafka.consumer.lag", contract.group(), contract.channel);
    var telling =
        found.alive().stream().filter(seen -> seen.process().figures().containsKey(name)).count();
    return telling == 0 || telling < progress.members()
        ? progress.lag()
        : Math.min(progress.lag(), (long) found.figure(name));
  }

  private int members(Contract contract) {
    var progress = found.progress(contract);
    return progress == null ? 0 : progress.members();
  }

  private @Nullable Long oldest(Contract contract) {
    var progress = found.progress(contract);
    return progress == null ? null : progress.oldest();
  }

  private int paused(Contract contract) {
    return (int) found.figure(Figures.name("kafka.consumer.paused", contract.group()));
  }

  private @Nullable String trouble(Contract contract, Found<?> asked) {
    var server = found.serverTrouble(contract.carrier.wire());
    if (server != null) return server;
    return asked.isTrouble() ? asked.trouble() : null;
  }

  private Channel crawlRequests() {
    var contract = Contract.CRAWL_REQUESTS;
    var look = found.frontier().value();
    var lag = lag(contract);
    return new Channel(
        contract,
        lag,
        look == null ? null : Long.valueOf(look.crawls()),
        members(contract),
        lag == null || lag == 0 ? null : oldest(contract),
        trouble(contract, found.kafka()),
        found.of(contract.to),
        (int) found.figure("crawler.slots"),
        (int) found.figure("crawler.visits"),
        paused(contract),
        rates.rate(Counters.out(contract)),
        look == null ? List.of() : waits.of(look));
  }

  private Channel crawlResponses() {
    var contract = Contract.CRAWL_RESPONSES;
    var look = found.frontier().value();
    var lag = lag(contract);
    return new Channel(
        contract,
        lag,
        look == null ? null : Long.valueOf(look.ending()),
        members(contract),
        lag == null || lag == 0 ? null : oldest(contract),
        trouble(contract, found.kafka()),
        found.of(contract.to),
        0,
        0,
        paused(contract),
        rates.rate(Counters.out(contract)),
        List.of());
  }

  private Channel flows(Contract contract, Found<FlowStore.Look> flows, String kind) {
    var look = flows.value();
    var lag = lag(contract);
    var depth = lag;
    if (depth != null && look != null) {
      depth += look.ready() + look.timers() + look.unpublished();
    }
    return new Channel(
        contract,
        depth,
        look == null ? null : Long.valueOf(look.running()),
        members(contract),
        earlier(
            lag == null || lag == 0 ? null : oldest(contract),
            look == null ? null : look.oldestReady()),
        trouble(contract, found.kafka()),
        found.of(contract.to),
        (int) found.figure(Figures.name("flow.slots", kind)),
        (int) found.figure(Figures.name("flow.running", kind)),
        paused(contract),
        rates.rate(Counters.out(contract)),
        look == null ? List.of() : Waits.of(contract, look));
  }

  private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
    if (one == null) return other;
    return other == null ? one : Long.valueOf(Math.min(one, other));
  }

  private Channel jobs() {
    var contract = Contract.JOBS;
    var look = found.jobs().value();
    var lost = look == null ? 0 : lost(look);
    return new Channel(
        contract,
        look == null ? null : Long.valueOf(look.waiting() + lost),
        look == null ? null : Long.valueOf(look.running() - lost),
        look == null ? 0 : look.workers().size(),
        look == null ? null : look.oldest(),
        trouble(contract, found.jobs()),
        found.of(contract.to),
        (int) found.figure("worker.slots"),
        (int) found.figure("worker.jobs.running"),
        0,
        rates.rate(Counters.out(contract)),
        look == null ? List.of() : waits.of(look));
  }

  // What only workers hold that are gone waits for others, though Redis counts it as theirs.
  private long lost(JobQueue.Look look) {
    var workers = found.of(Contract.JOBS.to);
    var gone = workers.stream().filter(Presence.Seen::isGone).count();
    var isAnybodyThere = gone < workers.size() || look.workers().size() > gone;
    return isAnybodyThere ? 0 : look.running();
  }

  private Channel queue(Contract contract) {
    var all = found.queues().value();
    var queue = all == null ? null : all.get(contract.channel);
    return new Channel(
        contract,
        all == null ? null : Long.valueOf(queue == null ? 0 : queue.depth().messages()),
        unsettled(contract),
        queue == null ? 0 : (int) queue.depth().consumers(),
        oldest(contract, queue),
        trouble(contract, found.queues()),
        found.of(contract.to),
        0,
        0,
        0,
        rates.rate(Counters.out(contract)),
        List.of());
  }

  private @Nullable Long unsettled(Contract contract) {
    if (found.processes().value() == null) return null;
    return (long) found.figure(Figures.name("amqp.consumer.unsettled", contract.channel));
  }

  // A queue does not tell, and taking a message out to look would change it. The first one came
  // after the queue was last empty, and not before as many came as are in it now.
  private @Nullable Long oldest(Contract contract, Snapshot.@Nullable Queue queue) {
    if (queue == null || queue.depth().messages() == 0) return null;
    var least = queue.nonEmptyFor() == null ? Long.MAX_VALUE : queue.nonEmptyFor().toMillis();
    var rate = rates.rate(Counters.in(contract));
    if (rate != null && rate > 0) {
      least = Math.min(least, (long) (queue.depth().messages() / rate * 1000));
    }
    return least == Long.MAX_VALUE ? null : Long.valueOf(found.at() - least);
  }
}
