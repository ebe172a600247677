package io.tidemill.dashboard.overview;

import io.tidemill.job.JobQueueInspector;
import io.tidemill.presence.PresenceStore;
import io.tidemill.workflow.ExecutionStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts what a look found in order: each channel as it stands.
final class ChannelStates {
  private final OverviewSnapshot found;
  private final HiddenBacklog waits;
  private final CounterRates rates;

  ChannelStates(OverviewSnapshot found, HiddenBacklog waits, CounterRates rates) {
    this.found = found;
    this.waits = waits;
    this.rates = rates;
  }

  ChannelState of(ContractChannels contract) {
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
  private @Nullable Long lag(ContractChannels contract) {
    var progress = found.progress(contract);
    if (progress == null) return found.kafka().value() == null ? null : Long.valueOf(0);
    var name = ProcessFigures.name("kafka.consumer.lag", contract.group(), contract.channel);
    var telling =
        found.alive().stream().filter(seen -> seen.process().figures().containsKey(name)).count();
    return telling == 0 || telling < progress.members()
        ? progress.lag()
        : Math.min(progress.lag(), (long) found.figure(name));
  }

  private int members(ContractChannels contract) {
    var progress = found.progress(contract);
    return progress == null ? 0 : progress.members();
  }

  private @Nullable Long oldest(ContractChannels contract) {
    var progress = found.progress(contract);
    return progress == null ? null : progress.oldest();
  }

  private int paused(ContractChannels contract) {
    return (int) found.figure(ProcessFigures.name("kafka.consumer.paused", contract.group()));
  }

  private @Nullable String trouble(ContractChannels contract, SourceReading<?> asked) {
    var server = found.serverTrouble(contract.carrier.wire());
    if (server != null) return server;
    return asked.isTrouble() ? asked.trouble() : null;
  }

  private ChannelState crawlRequests() {
    var contract = ContractChannels.CRAWL_REQUESTS;
    var look = found.frontier().value();
    var lag = lag(contract);
    return new ChannelState(
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
        rates.rate(ChannelCounters.out(contract)),
        look == null ? List.of() : waits.of(look));
  }

  private ChannelState crawlResponses() {
    var contract = ContractChannels.CRAWL_RESPONSES;
    var look = found.frontier().value();
    var lag = lag(contract);
    return new ChannelState(
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
        rates.rate(ChannelCounters.out(contract)),
        List.of());
  }

  private ChannelState flows(
      ContractChannels contract, SourceReading<ExecutionStore.QueueState> flows, String kind) {
    var look = flows.value();
    var lag = lag(contract);
    var depth = lag;
    if (depth != null && look != null) {
      depth += look.ready() + look.timers() + look.unpublished();
    }
    return new ChannelState(
        contract,
        depth,
        look == null ? null : Long.valueOf(look.running()),
        members(contract),
        earlier(
            lag == null || lag == 0 ? null : oldest(contract),
            look == null ? null : look.oldestReady()),
        trouble(contract, found.kafka()),
        found.of(contract.to),
        (int) found.figure(ProcessFigures.name("flow.slots", kind)),
        (int) found.figure(ProcessFigures.name("flow.running", kind)),
        paused(contract),
        rates.rate(ChannelCounters.out(contract)),
        look == null ? List.of() : HiddenBacklog.of(contract, look));
  }

  private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
    if (one == null) return other;
    return other == null ? one : Long.valueOf(Math.min(one, other));
  }

  private ChannelState jobs() {
    var contract = ContractChannels.JOBS;
    var look = found.jobs().value();
    var lost = look == null ? 0 : lost(look);
    return new ChannelState(
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
        rates.rate(ChannelCounters.out(contract)),
        look == null ? List.of() : waits.of(look));
  }

  // What only workers hold that are gone waits for others, though Redis counts it as theirs.
  private long lost(JobQueueInspector.QueueState look) {
    var workers = found.of(ContractChannels.JOBS.to);
    var gone = workers.stream().filter(PresenceStore.Seen::isGone).count();
    var isAnybodyThere = gone < workers.size() || look.workers().size() > gone;
    return isAnybodyThere ? 0 : look.running();
  }

  private ChannelState queue(ContractChannels contract) {
    var all = found.queues().value();
    var queue = all == null ? null : all.get(contract.channel);
    return new ChannelState(
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
        rates.rate(ChannelCounters.out(contract)),
        List.of());
  }

  private @Nullable Long unsettled(ContractChannels contract) {
    if (found.processes().value() == null) return null;
    return (long) found.figure(ProcessFigures.name("amqp.consumer.unsettled", contract.channel));
  }

  // A queue does not tell, and taking a message out to look would change it. The first one came
  // after the queue was last empty, and not before as many came as are in it now.
  private @Nullable Long oldest(ContractChannels contract, OverviewSnapshot.@Nullable Queue queue) {
    if (queue == null || queue.depth().messages() == 0) return null;
    var least = queue.nonEmptyFor() == null ? Long.MAX_VALUE : queue.nonEmptyFor().toMillis();
    var rate = rates.rate(ChannelCounters.in(contract));
    if (rate != null && rate > 0) {
      least = Math.min(least, (long) (queue.depth().messages() / rate * 1000));
    }
    return least == Long.MAX_VALUE ? null : Long.valueOf(found.at() - least);
  }
}
