package io.tidemill.crawl;

import io.tidemill.redis.Redis;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Describes the frontier: open pages of crawls, and when each host may be asked.
public final class FrontierInspector {
  private static final Script INSPECT =
      Script.load(FrontierInspector.class, "inspect_frontier.lua");

  /// The frontier at one moment.
  ///
  /// @param at by Redis' clock, as all times here
  /// @param crawls that are under way
  /// @param open pages that are known and not done, those under way and for later among them
  /// @param running pages that are being fetched
  /// @param later pages that are tried again
  /// @param laterAt when the first of these is
  /// @param ending crawls whose answer is still to be published
  public record FrontierState(
      long at,
      long crawls,
      long open,
      long running,
      long later,
      @Nullable Long laterAt,
      long ending,
      List<Host> hosts) {
    public FrontierState {
      hosts = List.copyOf(hosts);
    }
  }

  /// A host with open pages.
  ///
  /// @param queued pages in its queues
  /// @param next when its pause between two pages ends
  /// @param until when it may be asked again after it answered 429 or 503
  /// @param isKnown whether its robots.txt has been read
  /// @param crawls that have pages there
  /// @param later pages that are tried again
  public record Host(
      String name,
      long queued,
      long running,
      long next,
      long until,
      Duration delay,
      boolean isKnown,
      long crawls,
      long later,
      @Nullable Long laterAt) {
    /// When it may be asked next.
    public long readyAt() {
      return Math.max(next, until);
    }
  }

  private final Redis redis;
  private final Duration pause;
  private final int parallel;

  /// @param pause between two pages of a host whose robots.txt names none
  /// @param parallel pages of one host at once
  public FrontierInspector(Redis redis, Duration pause, int parallel) {
    this.redis = redis;
    this.pause = pause;
    this.parallel = parallel;
  }

  /// All crawls, with the hosts that may be asked first.
  public FrontierState inspect(int mostHosts) {
    return inspect("", mostHosts);
  }

  /// One crawl alone.
  public FrontierState inspect(String crawl, int mostHosts) {
    var reply =
        Redis.list(redis.run(INSPECT, List.of(), List.of(crawl, mostHosts, pause.toMillis())));
    return new FrontierState(
        (Long) reply.get(0),
        (Long) reply.get(1),
        (Long) reply.get(2),
        (Long) reply.get(3),
        (Long) reply.get(4),
        time(reply.get(5)),
        (Long) reply.get(6),
        reply.stream().skip(7).map(FrontierInspector::host).toList());
  }

  private static Host host(Object entry) {
    var it = Redis.list(entry);
    return new Host(
        Redis.text(it.get(0)),
        (Long) it.get(1),
        (Long) it.get(2),
        number(it.get(3)),
        number(it.get(4)),
        Duration.ofMillis(number(it.get(5))),
        it.get(6).equals(1L),
        (Long) it.get(7),
        (Long) it.get(8),
        time(it.get(9)));
  }

  private static long number(Object reply) {
    return (long) Double.parseDouble(Redis.text(reply));
  }

  private static @Nullable Long time(Object reply) {
    var text = Redis.text(reply);
    return text.isEmpty() || text.equals("0") ? null : number(reply);
  }

  /// Why a host's pages wait, in words; empty when they do not.
  public String why(Host host, long now) {
    if (host.until() > now && host.until() >= host.next()) {
      return "it asked to be left alone (429 or 503)";
    }
    if (host.next() > now) {
      if (!host.isKnown()) return "its robots.txt is not read yet: one page at a time";
      return isAsked(host)
          ? "its robots.txt asks for a Crawl-delay of " + seconds(host.delay())
          : "politeness: one page every " + seconds(host.delay());
    }
    var most = host.isKnown() ? parallel : 1;
    if (host.queued() > 0 && host.running() >= most) {
      return host.isKnown()
          ? "%d of its pages are being fetched, as many as crawler.per-host allows"
              .formatted(host.running())
          : "its robots.txt is being read";
    }
    if (host.queued() == 0 && host.later() > 0) {
      return host.later() == 1 ? "a page is tried again" : host.later() + " pages are tried again";
    }
    return "";
  }

  private boolean isAsked(Host host) {
    return host.isKnown() && !host.delay().equals(pause);
  }

  private static String seconds(Duration delay) {
    return delay.toMillis() % 1000 == 0 ? delay.toSeconds() + " s" : delay.toMillis() + " ms";
  }
}
