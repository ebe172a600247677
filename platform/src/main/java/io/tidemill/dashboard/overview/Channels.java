package io.tidemill.dashboard.overview;

import io.tidemill.broker.kafka.GroupProgress;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.dashboard.overview.Channel.Wait;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FrontierView;
import io.tidemill.store.redis.JobQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/// Puts what a look found in order: each channel as it stands.
final class Channels {
  private final Snapshot found;
  private final Limits limits;
  private final Rates rates;

  /// What the platform is told to keep to.
  ///
  /// @param memory the share of Redis' memory that is in use
  /// @param frontier says why hosts wait
  record Limits(
      int maxWaitingJobs, double maxMemory, DoubleSupplier memory, FrontierView frontier) {}

  Channels(Snapshot found, Limits limits, Rates rates) {
    this.found = found;
    this.limits = limits;
    this.rates = rates;
  }

  /// What can be counted, for the rates of later.
  static Rates.Counts counts(Snapshot found) {
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
    var progress = progress(found, contract);
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

  private static GroupProgress.@Nullable Progress progress(Snapshot found, Contract contract) {
    var all = found.kafka().value();
    if (all == null) return null;
    return all.get(new GroupProgress.Reading(contract.channel, contract.group()));
  }

  // Commits come a few seconds late: what the readers themselves say is nearer to the truth, as
  // long as all of them do.
  private @Nullable Long lag(Contract contract) {
    var progress = progress(found, contract);
    if (progress == null) return found.kafka().value() == null ? null : Long.valueOf(0);
    var name = Figures.name("kafka.consumer.lag", contract.group(), contract.channel);
    var telling =
        found.alive().stream().filter(seen -> seen.process().figures().containsKey(name)).count();
    return telling == 0 || telling < progress.members()
        ? progress.lag()
        : Math.min(progress.lag(), (long) found.figure(name));
  }

  private int members(Contract contract) {
    var progress = progress(found, contract);
    return progress == null ? 0 : progress.members();
  }

  private @Nullable Long oldest(Contract contract) {
    var progress = progress(found, contract);
    return progress == null ? null : progress.oldest();
  }

  private int paused(Contract contract) {
    return (int) found.figure(Figures.name("kafka.consumer.paused", contract.group()));
  }

  private @Nullable String trouble(Contract contract, Found<?> asked) {
    var server = found.serverTrouble(contract.carrier.wire());
    if (server != null) return server;
    return asked.value() == null ? asked.trouble() : null;
  }

  private Channel crawlRequests() {
    var contract = Contract.CRAWL_REQUESTS;
    var look = found.frontier().value();
    var waits = new ArrayList<Wait>();
    if (look != null) addFrontier(look, waits);
    var lag = lag(contract);
    return new Channel(
        contract,
        lag,
        look == null ? 0 : look.crawls(),
        members(contract),
        lag == null || lag == 0 ? null : oldest(contract),
        trouble(contract, found.kafka()),
        found.of(contract.to),
        (int) found.figure("crawler.slots"),
        (int) found.figure("crawler.visits"),
        paused(contract),
        rates.rate(out(contract)),
        waits);
  }

  private void addFrontier(FrontierView.Look look, List<Wait> waits) {
    var left = look.open() - look.running();
    if (left <= 0) return;
    waits.add(new Wait.Pages(left, look.crawls()));
    var queued = look.hosts().stream().filter(host -> host.queued() > 0).toList();
    if (queued.stream().noneMatch(host -> host.readyAt() <= look.at() && host.running() == 0)) {
      var waiting = queued.stream().filter(host -> host.readyAt() > look.at()).toList();
      waiting.stream()
          .min(Comparator.comparingLong(FrontierView.Host::readyAt))
          .ifPresent(host ->
              waits.add(
                  new Wait.Hosts(
                      host.name(),
                      host.readyAt(),
                      limits.frontier().why(host, look.at()),
                      waiting.size())));
    }
    if (look.later() > 0 && look.laterAt() != null) {
      var what = look.later() == 1 ? "page is tried again" : "pages are tried again, the first";
      waits.add(new Wait.Retries(what, look.later(), look.laterAt()));
    }
  }

  private Channel crawlResponses() {
    var contract = Contract.CRAWL_RESPONSES;
    var look = found.frontier().value();
    var lag = lag(contract);
    return new Channel(
        contract,
        lag,
        look == null ? 0 : look.ending(),
        members(contract),
        lag == null || lag == 0 ? null : oldest(contract),
        trouble(contract, found.kafka()),
        found.of(contract.to),
        0,
        0,
        paused(contract),
        rates.rate(out(contract)),
        List.of());
  }

  private Channel flows(Contract contract, Found<FlowStore.Look> flows, String kind) {
    var look = flows.value();
    var lag = lag(contract);
    var waits = new ArrayList<Wait>();
    if (look != null && look.timers() > 0 && look.nextTimer() != null) {
      var what =
          contract == Contract.TASKS
              ? look.timers() == 1 ? "task is tried again" : "tasks are tried again, the first"
              : look.timers() == 1
                  ? "workflow goes on (a retry, or a crawl it waits for)"
                  : "workflows go on (retries, or crawls they wait for), the first";
      waits.add(new Wait.Retries(what, look.timers(), look.nextTimer()));
    }
    if (look != null && look.unpublished() > 0) {
      waits.add(new Wait.Unpublished(look.unpublished()));
    }
    var depth = lag;
    if (depth != null && look != null) {
      depth += look.ready() + look.timers() + look.unpublished();
    }
    return new Channel(
        contract,
        depth,
        look == null ? 0 : look.running(),
        members(contract),
        earlier(
            lag == null || lag == 0 ? null : oldest(contract),
            look == null ? null : look.oldestReady()),
        trouble(contract, found.kafka()),
        found.of(contract.to),
        (int) found.figure(Figures.name("flow.slots", kind)),
        (int) found.figure(Figures.name("flow.running", kind)),
        paused(contract),
        rates.rate(out(contract)),
        waits);
  }

  private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
    if (one == null) return other;
    return other == null ? one : Long.valueOf(Math.min(one, other));
  }

  private Channel jobs() {
    var contract = Contract.JOBS;
    var look = found.jobs().value();
    return new Channel(
        contract,
        look == null ? null : Long.valueOf(look.waiting()),
        look == null ? 0 : look.running(),
        look == null ? 0 : look.workers().size(),
        look == null ? null : look.oldest(),
        trouble(contract, found.jobs()),
        found.of(contract.to),
        (int) found.figure("worker.slots"),
        (int) found.figure("worker.jobs.running"),
        0,
        rates.rate(out(contract)),
        look == null ? List.of() : waits(look));
  }

  private List<Wait> waits(JobQueue.Look look) {
    var waits = new ArrayList<Wait>();
    var all = look.waiting() + look.running();
    if (all >= limits.maxWaitingJobs()) {
      waits.add(
          new Wait.Full(
              "%d jobs wait or run, as many as jobs.max-waiting allows: POST /v1/jobs answers 429 until some are done"
                  .formatted(all)));
    }
    if (limits.memory().getAsDouble() >= limits.maxMemory()) {
      waits.add(
          new Wait.Full(
              "Redis has used %.0f %% of its memory, more than jobs.max-memory allows: POST /v1/jobs answers 429. Give it more (maxmemory)"
                  .formatted(limits.memory().getAsDouble() * 100)));
    }
    for (var task : look.tasks()) {
      if (task.aside() > 0 && !isDone(task.name(), look.workers())) {
        waits.add(new Wait.Unable(task.name(), task.aside()));
      }
      if (task.inLine() == 0) continue;
      var limit = task.limit();
      var own = task.limitPerTenant();
      if (limit != null && task.out() >= limit) {
        waits.add(new Wait.Limited(task.name(), task.inLine(), limit, false));
      } else if (own != null && task.out() >= own) {
        waits.add(new Wait.Limited(task.name(), task.inLine(), own, true));
      }
    }
    return waits;
  }

  private static boolean isDone(String task, Map<String, List<String>> workers) {
    return workers.values().stream().anyMatch(tasks -> tasks.isEmpty() || tasks.contains(task));
  }

  private Channel queue(Contract contract) {
    var all = found.queues().value();
    var queue = all == null ? null : all.get(contract.channel);
    return new Channel(
        contract,
        all == null ? null : Long.valueOf(queue == null ? 0 : queue.depth().messages()),
        (long) found.figure(Figures.name("amqp.consumer.unsettled", contract.channel)),
        queue == null ? 0 : (int) queue.depth().consumers(),
        oldest(contract, queue),
        trouble(contract, found.queues()),
        found.of(contract.to),
        0,
        0,
        0,
        rates.rate(out(contract)),
        List.of());
  }

  // A queue does not tell, and taking a message out to look would change it. The first one came
  // after the queue was last empty, and not before as many came as are in it now.
  private @Nullable Long oldest(Contract contract, Snapshot.@Nullable Queue queue) {
    if (queue == null || queue.depth().messages() == 0) return null;
    var least = queue.nonEmptyFor() == null ? Long.MAX_VALUE : queue.nonEmptyFor().toMillis();
    var rate = rates.rate(in(contract));
    if (rate != null && rate > 0) {
      least = Math.min(least, (long) (queue.depth().messages() / rate * 1000));
    }
    return least == Long.MAX_VALUE ? null : Long.valueOf(found.at() - least);
  }

  /// What a role does, in a few words.
  String text(String role) {
    var alive = found.of(role).stream().filter(seen -> !seen.isGone()).count();
    var gone = found.of(role).size() - alive;
    if (found.processes().value() == null) return "Redis does not answer: nobody knows who runs";
    if (alive == 0 && gone == 0) return "no process. Start one: ./tidemill run " + role;
    if (alive == 0)
      return "no process left: it fell silent. Start it again: ./tidemill run " + role;
    var text = alive == 1 ? "1 process" : alive + " processes";
    var doing =
        switch (role) {
          case "crawler" -> count("crawler.visits") + " pages in flight";
          case "worker" ->
              count("worker.jobs.running") + " of " + count("worker.slots") + " slots in use";
          case "processor" ->
              "%d workflows and %d tasks run"
                  .formatted(count("flow.running:workflow"), count("flow.running:task"));
          case "indexer" -> idle(Contract.PAGES, "page");
          case "collector" -> idle(Contract.COLLECTED, "batch");
          default -> "";
        };
    return text
        + (doing.isEmpty() ? "" : ", " + doing)
        + (gone > 0 ? ", " + gone + " fell silent" : "");
  }

  private String idle(Contract contract, String what) {
    var name = Figures.name("amqp.idle.ms", contract.channel);
    var least =
        found.of(contract.to).stream()
            .filter(seen -> !seen.isGone())
            .map(seen -> seen.process().figures().get(name))
            .filter(value -> value != null)
            .mapToDouble(value -> value)
            .min();
    return least.isEmpty()
        ? "no %s since it started".formatted(what)
        : String.format(
            Locale.ROOT, "last %s %s ago", what, Reasons.span((long) least.getAsDouble()));
  }

  private long count(String figure) {
    return (long) found.figure(figure);
  }
}
