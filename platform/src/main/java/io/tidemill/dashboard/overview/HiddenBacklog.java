package io.tidemill.dashboard.overview;

import io.tidemill.crawl.FrontierInspector;
import io.tidemill.dashboard.overview.ChannelState.Wait;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.workflow.ExecutionStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/// What waits where no broker knows of it: in the frontier, in lines, for its time.
final class HiddenBacklog {
  private final Limits limits;

  /// What the platform is told to keep to.
  ///
  /// @param memory the share of Redis' memory that is in use
  /// @param frontier says why hosts wait
  record Limits(
      int maxWaitingJobs, double maxMemory, DoubleSupplier memory, FrontierInspector frontier) {}

  HiddenBacklog(Limits limits) {
    this.limits = limits;
  }

  List<Wait> of(FrontierInspector.FrontierState look) {
    var left = look.open() - look.running();
    if (left <= 0) return List.of();
    var waits = new ArrayList<Wait>();
    waits.add(new Wait.Pages(left, look.crawls()));
    var queued = look.hosts().stream().filter(host -> host.queued() > 0).toList();
    if (queued.stream().noneMatch(host -> host.readyAt() <= look.at() && host.running() == 0)) {
      var waiting = queued.stream().filter(host -> host.readyAt() > look.at()).toList();
      waiting.stream()
          .min(Comparator.comparingLong(FrontierInspector.Host::readyAt))
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
    return waits;
  }

  static List<Wait> of(ContractChannels contract, ExecutionStore.QueueState look) {
    var waits = new ArrayList<Wait>();
    if (look.timers() > 0 && look.nextTimer() != null) {
      waits.add(new Wait.Retries(again(contract, look.timers()), look.timers(), look.nextTimer()));
    }
    if (look.unpublished() > 0) waits.add(new Wait.Unpublished(look.unpublished()));
    return waits;
  }

  private static String again(ContractChannels contract, long count) {
    if (contract == ContractChannels.TASKS) {
      return count == 1 ? "task is tried again" : "tasks are tried again, the first";
    }
    return count == 1
        ? "workflow goes on (a retry, or a crawl it waits for)"
        : "workflows go on (retries, or crawls they wait for), the first";
  }

  List<Wait> of(JobQueueInspector.QueueState look) {
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
}
