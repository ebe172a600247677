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

/// The backlog that no broker counts: in the frontier, behind limits, in timers.
final class HiddenBacklog {
  private final Limits limits;

  /// Configured limits and their current use.
  ///
  /// @param memory share of Redis' memory in use
  /// @param frontier knows why hosts are paused
  record Limits(
      int maxWaitingJobs, double maxMemory, DoubleSupplier memory, FrontierInspector frontier) {}

  HiddenBacklog(Limits limits) {
    this.limits = limits;
  }

  List<Wait> of(FrontierInspector.FrontierState state) {
    var pages = state.open() - state.running();
    if (pages <= 0) return List.of();
    var waits = new ArrayList<Wait>();
    waits.add(new Wait.Pages(pages, state.crawls()));
    var queued = state.hosts().stream().filter(host -> host.queued() > 0).toList();
    if (queued.stream().noneMatch(host -> host.readyAt() <= state.at() && host.running() == 0)) {
      var waiting = queued.stream().filter(host -> host.readyAt() > state.at()).toList();
      waiting.stream()
          .min(Comparator.comparingLong(FrontierInspector.Host::readyAt))
          .ifPresent(host ->
              waits.add(
                  new Wait.Hosts(
                      host.name(),
                      host.readyAt(),
                      limits.frontier().why(host, state.at()),
                      waiting.size())));
    }
    if (state.later() > 0 && state.laterAt() != null) {
      var what = state.later() == 1 ? "page is tried again" : "pages are tried again, the first";
      waits.add(new Wait.Retries(what, state.later(), state.laterAt()));
    }
    return waits;
  }

  static List<Wait> of(ContractChannels contract, ExecutionStore.QueueState state) {
    var waits = new ArrayList<Wait>();
    if (state.timers() > 0 && state.nextTimer() != null) {
      waits.add(
          new Wait.Retries(retries(contract, state.timers()), state.timers(), state.nextTimer()));
    }
    if (state.unpublished() > 0) waits.add(new Wait.Unpublished(state.unpublished()));
    return waits;
  }

  private static String retries(ContractChannels contract, long count) {
    if (contract == ContractChannels.TASKS) {
      return count == 1 ? "task is tried again" : "tasks are tried again, the first";
    }
    return count == 1
        ? "workflow goes on (a retry, or a crawl it waits for)"
        : "workflows go on (retries, or crawls they wait for), the first";
  }

  List<Wait> of(JobQueueInspector.QueueState state) {
    var waits = new ArrayList<Wait>();
    var all = state.waiting() + state.running();
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
    for (var task : state.tasks()) {
      if (task.aside() > 0 && !isHandled(task.name(), state.workers())) {
        waits.add(new Wait.Unable(task.name(), task.aside()));
      }
      if (task.inLine() == 0) continue;
      var limit = task.limit();
      var perTenant = task.limitPerTenant();
      if (limit != null && task.out() >= limit) {
        waits.add(new Wait.Limited(task.name(), task.inLine(), limit, false));
      } else if (perTenant != null && task.out() >= perTenant) {
        waits.add(new Wait.Limited(task.name(), task.inLine(), perTenant, true));
      }
    }
    return waits;
  }

  private static boolean isHandled(String task, Map<String, List<String>> workers) {
    return workers.values().stream().anyMatch(tasks -> tasks.isEmpty() || tasks.contains(task));
  }
}
