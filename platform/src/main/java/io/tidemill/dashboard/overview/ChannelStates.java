package io.tidemill.dashboard.overview;

import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.dashboard.overview.ChannelState.Wait;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.observe.Reading;
import io.tidemill.presence.PresenceStore;
import io.tidemill.workflow.ExecutionStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Derives the state of each channel from the readings.
final class ChannelStates {
  private final OverviewSnapshot found;
  private final HiddenBacklog backlog;
  private final CounterRates rates;

  ChannelStates(OverviewSnapshot found, HiddenBacklog backlog, CounterRates rates) {
    this.found = found;
    this.backlog = backlog;
    this.rates = rates;
  }

  ChannelState of(ContractChannels contract) {
    return switch (contract) {
      case CRAWL_REQUESTS -> crawlRequests();
      case CRAWL_RESPONSES -> crawlResponses();
      case WORKFLOWS -> executions(contract, found.workflows(), "workflow");
      case TASKS -> executions(contract, found.tasks(), "task");
      case JOBS -> jobs();
      case PAGES, COLLECTED -> queue(contract);
    };
  }

  // Commits come a few seconds late: the lag that the consumers report is more accurate, if all of
  // them report it.
  private @Nullable Long lag(ContractChannels contract) {
    var progress = found.progress(contract);
    if (progress == null) return found.kafka().value() == null ? null : Long.valueOf(0);
    var name = ProcessFigures.name("kafka.consumer.lag", contract.group(), contract.channel);
    var reporting =
        found.alive().stream().filter(seen -> seen.process().figures().containsKey(name)).count();
    return reporting == 0 || reporting < progress.members()
        ? progress.lag()
        : Math.min(progress.lag(), (long) found.figure(name));
  }

  private @Nullable String problem(ContractChannels contract, Reading<?> asked) {
    var server = found.serverTrouble(contract.carrier.wire());
    if (server != null) return server;
    return asked.isFailed() ? asked.problem() : null;
  }

  private ChannelState crawlRequests() {
    var frontier = found.frontier().value();
    return kafka(
        ContractChannels.CRAWL_REQUESTS,
        frontier == null ? null : Long.valueOf(frontier.crawls()),
        0,
        null,
        (int) found.figure("crawler.slots"),
        (int) found.figure("crawler.visits"),
        frontier == null ? List.of() : backlog.of(frontier));
  }

  private ChannelState crawlResponses() {
    var frontier = found.frontier().value();
    var ending = frontier == null ? null : Long.valueOf(frontier.ending());
    return kafka(ContractChannels.CRAWL_RESPONSES, ending, 0, null, 0, 0, List.of());
  }

  private ChannelState executions(
      ContractChannels contract, Reading<ExecutionStore.QueueState> reading, String kind) {
    var queue = reading.value();
    return kafka(
        contract,
        queue == null ? null : Long.valueOf(queue.running()),
        queue == null ? 0 : queue.ready() + queue.timers() + queue.unpublished(),
        queue == null ? null : queue.oldestReady(),
        (int) found.figure(ProcessFigures.name("flow.slots", kind)),
        (int) found.figure(ProcessFigures.name("flow.running", kind)),
        queue == null ? List.of() : HiddenBacklog.of(contract, queue));
  }

  /// @param hidden what waits in Redis beside the topic
  /// @param hiddenOldest when the oldest of it came
  private ChannelState kafka(
      ContractChannels contract,
      @Nullable Long running,
      long hidden,
      @Nullable Long hiddenOldest,
      int slots,
      int busy,
      List<Wait> waits) {
    var lag = lag(contract);
    var progress = found.progress(contract);
    var oldest = lag == null || lag == 0 || progress == null ? null : progress.oldest();
    return new ChannelState(
        contract,
        lag == null ? null : Long.valueOf(lag + hidden),
        running,
        progress == null ? 0 : progress.members(),
        earlier(oldest, hiddenOldest),
        problem(contract, found.kafka()),
        found.of(contract.to),
        slots,
        busy,
        (int) found.figure(ProcessFigures.name("kafka.consumer.paused", contract.group())),
        rates.rate(ChannelCounters.out(contract)),
        waits);
  }

  private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
    if (one == null) return other;
    return other == null ? one : Long.valueOf(Math.min(one, other));
  }

  private ChannelState jobs() {
    var contract = ContractChannels.JOBS;
    var jobs = found.jobs().value();
    var abandoned = jobs == null ? 0 : abandoned(jobs);
    return new ChannelState(
        contract,
        jobs == null ? null : Long.valueOf(jobs.waiting() + abandoned),
        jobs == null ? null : Long.valueOf(jobs.running() - abandoned),
        jobs == null ? 0 : jobs.workers().size(),
        jobs == null ? null : jobs.oldest(),
        problem(contract, found.jobs()),
        found.of(contract.to),
        (int) found.figure("worker.slots"),
        (int) found.figure("worker.jobs.running"),
        0,
        rates.rate(ChannelCounters.out(contract)),
        jobs == null ? List.of() : backlog.of(jobs));
  }

  // Jobs held by dead workers only are waiting, though Redis counts them as running.
  private long abandoned(JobQueueInspector.QueueState jobs) {
    var workers = found.of(ContractChannels.JOBS.to);
    var gone = workers.stream().filter(PresenceStore.Seen::isGone).count();
    var isAnyAlive = gone < workers.size() || jobs.workers().size() > gone;
    return isAnyAlive ? 0 : jobs.running();
  }

  private ChannelState queue(ContractChannels contract) {
    var all = found.queues().value();
    var queue = all == null ? null : all.get(contract.channel);
    return new ChannelState(
        contract,
        all == null ? null : Long.valueOf(queue == null ? 0 : queue.messages()),
        unsettled(contract),
        queue == null ? 0 : (int) queue.consumers(),
        oldest(contract, queue),
        problem(contract, found.queues()),
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

  // AMQP does not tell the age of a message. The first one arrived after the queue was last empty,
  // and its age is at most the time in which as many arrived as are in the queue now.
  private @Nullable Long oldest(ContractChannels contract, QueueMeters.@Nullable QueueState queue) {
    if (queue == null || queue.messages() == 0) return null;
    var least = queue.nonEmptyFor() == null ? Long.MAX_VALUE : queue.nonEmptyFor().toMillis();
    var rate = rates.rate(ChannelCounters.in(contract));
    if (rate != null && rate > 0) {
      least = Math.min(least, (long) (queue.messages() / rate * 1000));
    }
    return least == Long.MAX_VALUE ? null : Long.valueOf(found.at() - least);
  }
}
