package io.tidemill.dashboard.overview;

import static io.tidemill.dashboard.overview.WaitReason.Code.BACK_PRESSURE;
import static io.tidemill.dashboard.overview.WaitReason.Code.BUSY;
import static io.tidemill.dashboard.overview.WaitReason.Code.HOST_WAITS;
import static io.tidemill.dashboard.overview.WaitReason.Code.LIMIT;
import static io.tidemill.dashboard.overview.WaitReason.Code.NO_CONSUMER;
import static io.tidemill.dashboard.overview.WaitReason.Code.PAUSED;
import static io.tidemill.dashboard.overview.WaitReason.Code.RETRY_AT;
import static io.tidemill.dashboard.overview.WaitReason.Code.SERVER_DOWN;

import io.tidemill.dashboard.overview.ChannelState.Wait;
import io.tidemill.dashboard.overview.WaitReason.Level;
import io.tidemill.presence.PresenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The reasons why the messages of a channel wait, derived from its state.
final class WaitReasons {
  private static final long STUCK_MILLIS = 30_000;

  private final ChannelState channel;
  private final long now;

  private WaitReasons(ChannelState channel, long now) {
    this.channel = channel;
    this.now = now;
  }

  /// The most important first; empty when nothing waits.
  static List<WaitReason> of(ChannelState channel, long now) {
    return new WaitReasons(channel, now).all();
  }

  private List<WaitReason> all() {
    if (channel.problem() != null) return List.of(serverDown(channel.problem()));
    if (channel.waiting() == 0 && channel.waits().isEmpty()) return List.of();
    var reasons = new ArrayList<WaitReason>();
    noConsumer().ifPresent(reasons::add);
    if (reasons.isEmpty()) paused().ifPresent(reasons::add);
    if (reasons.isEmpty()) full().ifPresent(reasons::add);
    // Without a crawler no host is paused.
    var hasConsumer = reasons.stream().noneMatch(reason -> reason.code() == NO_CONSUMER);
    for (var wait : channel.waits()) reason(wait, hasConsumer).ifPresent(reasons::add);
    if (reasons.isEmpty() && channel.waiting() > 0) reasons.add(moving());
    return reasons;
  }

  private WaitReason serverDown(String problem) {
    return WaitReason.of(
        SERVER_DOWN,
        Level.DOWN,
        "%s does not answer (%s): nothing gets through %s until it does."
            .formatted(channel.contract().carrier.title, problem, channel.contract().channel));
  }

  // ---- no consumer

  private Optional<WaitReason> noConsumer() {
    var alive = channel.alive();
    var gone = channel.gone();
    if (alive.isEmpty() && channel.consumers() == 0 && gone.isEmpty()) {
      return Optional.of(
          noConsumer(
              "%s: no process runs the %s role. Start one: ./tidemill run %s"
                  .formatted(waiting(), role(), role())));
    }
    // The broker counts dead consumers until their sessions time out.
    if (alive.isEmpty() && !gone.isEmpty() && channel.consumers() <= gone.size()) {
      var last = gone.getFirst();
      return Optional.of(
          noConsumer(
              "%s: %s, which ran the %s role, was last heard of %s ago. Start it again: ./tidemill run %s"
                  .formatted(
                      waiting(),
                      last.process().name(),
                      role(),
                      span(now - last.seenAt()),
                      role())));
    }
    if (!alive.isEmpty() && channel.consumers() == 0 && channel.waiting() > 0) {
      if (isStarting()) return Optional.of(starting());
      return Optional.of(
          noConsumer(
              "%s: %s runs the %s role but does not read %s%s"
                  .formatted(
                      waiting(),
                      names(alive),
                      role(),
                      channel.contract().channel,
                      failing(alive).map(check -> ": " + check.detail()).orElse(" yet"))));
    }
    return Optional.empty();
  }

  private static WaitReason noConsumer(String text) {
    return WaitReason.of(NO_CONSUMER, Level.DOWN, text);
  }

  private String waiting() {
    var pages =
        channel.waits().stream()
            .filter(Wait.Pages.class::isInstance)
            .map(Wait.Pages.class::cast)
            .findFirst();
    if (channel.waiting() == 0 && pages.isPresent()) return pages(pages.get()) + " wait";
    var count = channel.waiting() == 0 ? hidden() : channel.waiting();
    return channel.contract().counted(count) + (count == 1 ? " waits" : " wait");
  }

  private long hidden() {
    return channel.waits().stream()
        .mapToLong(wait ->
            switch (wait) {
              case Wait.Retries retries -> retries.count();
              case Wait.Unpublished unpublished -> unpublished.count();
              case Wait.Unable unable -> unable.count();
              case Wait.Limited limited -> limited.count();
              case Wait.Pages _, Wait.Hosts _, Wait.Full _ -> 0;
            })
        .sum();
  }

  private static String pages(Wait.Pages pages) {
    return "%d page%s of %d crawl%s"
        .formatted(pages.pages(), s(pages.pages()), pages.crawls(), s(pages.crawls()));
  }

  // ---- a consumer without progress

  private Optional<WaitReason> paused() {
    return failing(channel.alive())
        .map(check ->
            isStarting()
                ? starting()
                : WaitReason.of(
                    PAUSED,
                    Level.WARN,
                    "the %s waits and tries again by itself: %s"
                        .formatted(role(), check.detail())));
  }

  private boolean isStarting() {
    return channel.alive().stream().allMatch(seen -> seen.process().isStarting());
  }

  private WaitReason starting() {
    return WaitReason.of(
        BUSY,
        Level.BUSY,
        "%s, which runs the %s role, is starting".formatted(names(channel.alive()), role()));
  }

  private Optional<PresenceStore.Check> failing(List<PresenceStore.Seen> alive) {
    var checks =
        alive.stream()
            .map(seen -> seen.process().checks().get(channel.contract().check()))
            .filter(check -> check != null)
            .toList();
    // One healthy process of several is enough.
    if (checks.isEmpty() || checks.stream().anyMatch(PresenceStore.Check::isUp))
      return Optional.empty();
    return Optional.of(checks.getFirst());
  }

  private Optional<WaitReason> full() {
    if (channel.paused() > 0) {
      return Optional.of(
          WaitReason.of(
              BACK_PRESSURE,
              Level.WARN,
              "the %s holds as much as it may of %d partition%s and reads on when that is done. If it lasts, start another: ./tidemill run %s"
                  .formatted(role(), channel.paused(), s(channel.paused()), role())));
    }
    if (channel.slots() == 0 || channel.busy() < channel.slots()) return Optional.empty();
    var processes = channel.alive().size();
    return Optional.of(
        WaitReason.of(
            BUSY,
            Level.BUSY,
            "all %d slots of %d %s process%s are in use%s. To get on faster start another (./tidemill run %s)%s"
                .formatted(
                    channel.slots(),
                    processes,
                    role(),
                    processes == 1 ? "" : "es",
                    pace(),
                    role(),
                    channel.contract().slotsKey().isEmpty()
                        ? ""
                        : " or raise " + channel.contract().slotsKey())));
  }

  private WaitReason moving() {
    var rate = channel.doneRate();
    var oldest = channel.oldest();
    if (rate != null && rate == 0 && oldest != null && now - oldest > STUCK_MILLIS) {
      return WaitReason.of(
          PAUSED,
          Level.WARN,
          "nothing has moved, and the oldest waits for %s although %s reads: look at its log"
              .formatted(
                  span(now - oldest),
                  channel.alive().isEmpty() ? "somebody" : names(channel.alive())));
    }
    return WaitReason.of(
        BUSY,
        Level.BUSY,
        "%s %s in turn%s"
            .formatted(
                channel.contract().counted(channel.waiting()),
                channel.waiting() == 1 ? "is" : "are",
                pace()));
  }

  private String pace() {
    var rate = channel.doneRate();
    if (rate == null || rate <= 0) return "";
    var left = (long) (channel.waiting() / rate * 1000);
    return String.format(Locale.ROOT, ", %.1f a second are done", rate)
        + (channel.waiting() > 0 ? ", about " + span(left) + " to go" : "");
  }

  // ---- known parts of the backlog

  private Optional<WaitReason> reason(Wait wait, boolean hasConsumer) {
    return switch (wait) {
      case Wait.Pages _ -> Optional.empty();
      case Wait.Hosts hosts -> hasConsumer ? Optional.of(hosts(hosts)) : Optional.empty();
      case Wait.Retries retries ->
          Optional.of(
              new WaitReason(
                  RETRY_AT,
                  Level.BUSY,
                  "%d %s in %s"
                      .formatted(
                          retries.count(), retries.what(), span(Math.max(0, retries.at() - now)))
                      .concat(retries.count() == 1 ? "" : " at the earliest"),
                  retries.at()));
      case Wait.Unable unable ->
          Optional.of(
              WaitReason.of(
                  NO_CONSUMER,
                  Level.WARN,
                  "%d job%s of the task %s wait%s: no worker that is there does it (worker.tasks). Start one: ./tidemill run worker -s worker.tasks=%s"
                      .formatted(
                          unable.count(),
                          s(unable.count()),
                          unable.task(),
                          unable.count() == 1 ? "s" : "",
                          unable.task())));
      case Wait.Limited limited -> Optional.of(limited(limited));
      case Wait.Full(var why) -> Optional.of(WaitReason.of(BACK_PRESSURE, Level.WARN, why));
      case Wait.Unpublished(var count) ->
          Optional.of(
              WaitReason.of(
                  PAUSED,
                  Level.BUSY,
                  "%s %s written down and not published yet; a gateway does it by itself"
                      .formatted(channel.contract().counted(count), count == 1 ? "is" : "are")));
    };
  }

  private WaitReason hosts(Wait.Hosts hosts) {
    return new WaitReason(
        HOST_WAITS,
        Level.BUSY,
        "%s is asked again in %s: %s%s"
            .formatted(
                hosts.host(),
                span(Math.max(0, hosts.at() - now)),
                hosts.why(),
                more(hosts.hosts() - 1)),
        hosts.at());
  }

  private static String more(long hosts) {
    if (hosts <= 0) return "";
    return hosts == 1 ? "; 1 more waits like it" : "; " + hosts + " more wait like it";
  }

  private static WaitReason limited(Wait.Limited limited) {
    var key = limited.isPerTenant() ? "jobs.limits-per-key" : "jobs.limits";
    return WaitReason.of(
        LIMIT,
        Level.BUSY,
        "%d job%s of the task %s wait%s: %d %s, as many as %s allows"
            .formatted(
                limited.count(),
                s(limited.count()),
                limited.task(),
                limited.count() == 1 ? "s" : "",
                limited.limit(),
                limited.isPerTenant() ? "of a tenant are under way" : "are under way",
                key));
  }

  private String role() {
    return channel.contract().to;
  }

  private static String names(List<PresenceStore.Seen> processes) {
    return processes.stream().map(seen -> seen.process().name()).collect(Collectors.joining(", "));
  }

  private static String s(long count) {
    return count == 1 ? "" : "s";
  }

  /// A duration in words.
  static String span(long millis) {
    if (millis < 1_000) return "less than a second";
    var seconds = millis / 1_000;
    if (seconds < 120) return seconds + " s";
    if (seconds < 7_200) return seconds / 60 + " min";
    return seconds / 3_600 + " h";
  }
}
