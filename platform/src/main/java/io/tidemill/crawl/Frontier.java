package io.tidemill.crawl;

import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.redis.CallBatcher;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/// The pages that crawls have yet to fetch, and the pauses between requests to their hosts, shared
/// by all crawlers (C4.3).
///
/// Crawlers lease pages; when a lease is over, another crawler gets the page, and the first one can
/// no longer end its visit. Every method may throw [RedisException] and may then be repeated; pages
/// of a [#take] whose answer was lost come back when their leases are over.
public final class Frontier {
  private static final Script BEGIN = Script.load(Frontier.class, "begin_crawl.lua");
  private static final Script TAKE = Script.load(Frontier.class, "take_pages.lua");
  private static final Script DONE = Script.load(Frontier.class, "finish_visits.lua");
  private static final Script LINKS = Script.load(Frontier.class, "add_links.lua");
  private static final Script RENEW = Script.load(Frontier.class, "renew_visits.lua");
  private static final Script GOVERN = Script.load(Frontier.class, "set_host_pace.lua");
  private static final Script ENDING = Script.load(Frontier.class, "take_ending_crawls.lua");
  private static final Script ENDED = Script.load(Frontier.class, "end_crawl.lua");
  private static final Script BATCH = Script.load(Frontier.class, "take_batch.lua");
  private static final Script KEPT = Script.load(Frontier.class, "settle_batch.lua");
  private static final int MOST_LINKS = 500;
  private static final long LONGEST_WAIT_MILLIS = 250;

  /// Pauses, limits and lifetimes of all crawls.
  ///
  /// @param pause between two pages of a host whose robots.txt names none
  /// @param parallel pages of one host at once
  /// @param seenTtl how long a URL counts as crawled (C4.3)
  /// @param keep how long an ended crawl can be looked at
  /// @param batch pages that are kept together (C5.7)
  /// @param memory how long a page's version is remembered
  public record PolitenessPolicy(
      Duration lease,
      Duration pause,
      int parallel,
      Duration seenTtl,
      Duration keep,
      int batch,
      Duration memory) {}

  /// Leased pages.
  ///
  /// @param pause until it is worth asking again
  public record Taken(List<PageLease> visits, Duration pause) {}

  /// What the frontier made of the end of a visit.
  public enum VisitReceipt {
    DONE,
    /// It was the last page of its crawl.
    IDLE,
    /// Another crawler has the page: nothing was recorded.
    FENCED,
    /// The crawl had ended before.
    OVER
  }

  private record Done(PageLease visit, VisitResult end) {}

  private final Redis redis;
  private final PolitenessPolicy politeness;
  private final CallBatcher<Done, VisitReceipt> ends =
      new CallBatcher<>(this::endAll, Frontier::weight);

  public Frontier(Redis redis, PolitenessPolicy politeness) {
    this.redis = redis;
    this.politeness = politeness;
  }

  /// Puts a crawl in, once.
  ///
  /// @return the state that it had already; empty when it begins now
  public Optional<CrawlState> begin(NewCrawl crawl) {
    var first = crawl.first();
    var arguments = new ArrayList<Object>();
    arguments.add(crawl.id());
    arguments.add(item(crawl.id(), first));
    arguments.add(first.host());
    arguments.add(fingerprint(first.identity()));
    arguments.add(politeness.keep().toSeconds());
    crawl
        .fields()
        .forEach((name, value) -> {
          arguments.add(name);
          arguments.add(value);
        });
    var keys = List.of(CrawlNames.crawl(crawl.id()), CrawlNames.events(crawl.id()));
    var answer = Redis.text(redis.run(BEGIN, keys, arguments));
    return answer.equals("begun") ? Optional.empty() : Optional.of(CrawlState.of(answer));
  }

  /// Takes pages whose hosts may be asked now, each claimed for this caller.
  public Taken take(int most) {
    var reply =
        Redis.list(
            redis.run(
                TAKE,
                List.of(),
                List.of(
                    most,
                    politeness.lease().toMillis(),
                    politeness.pause().toMillis(),
                    politeness.parallel(),
                    LONGEST_WAIT_MILLIS)));
    var visits = reply.stream().skip(1).map(entry -> PageLease.of(Redis.list(entry))).toList();
    return new Taken(visits, Duration.ofMillis((Long) reply.getFirst()));
  }

  /// Ends a visit. Visits that end at the same time are ended together.
  public VisitReceipt done(PageLease visit, VisitResult end) {
    var links = end.links();
    while (links.size() > MOST_LINKS) {
      if (!offer(visit, links.subList(0, MOST_LINKS))) return VisitReceipt.FENCED;
      links = links.subList(MOST_LINKS, links.size());
    }
    return ends.call(new Done(visit, end.withLinks(links)));
  }

  // Redis runs one script at a time: none may take long.
  private static int weight(Done one) {
    return 1 + one.end().links().size();
  }

  private boolean offer(PageLease visit, List<FrontierLink> links) {
    var arguments = new ArrayList<Object>(List.of(visit.item()));
    addLinks(arguments, visit, links);
    return Objects.equals(redis.run(LINKS, List.of(), arguments), 1L);
  }

  private static void addLinks(List<Object> arguments, PageLease visit, List<FrontierLink> links) {
    for (var link : links) {
      arguments.add(fingerprint(link.identity()));
      arguments.add(item(visit.crawlId(), link));
    }
  }

  private List<VisitReceipt> endAll(List<Done> all) {
    var arguments = new ArrayList<Object>(List.of(politeness.batch()));
    for (var one : all) {
      var end = one.end();
      arguments.add(one.visit().item());
      arguments.add(end.kind().name().toLowerCase(Locale.ROOT));
      arguments.add(end.bytes());
      arguments.add(politeness.seenTtl().toMillis());
      arguments.add(end.retryAfter().toMillis());
      arguments.add(end.hostPause().toMillis());
      var notes = end.notes();
      arguments.addAll(List.of(notes.data(), notes.line(), notes.base(), notes.kept()));
      arguments.add(notes.memory());
      // Without a version only its links are of use, and only while it is not fetched again.
      arguments.add((notes.hasVersion() ? politeness.memory() : politeness.seenTtl()).toMillis());
      arguments.add(end.aliases().size());
      arguments.addAll(end.aliases());
      arguments.add(end.links().size());
      addLinks(arguments, one.visit(), end.links());
    }
    return Redis.list(redis.run(DONE, List.of(), arguments)).stream()
        .map(answer -> VisitReceipt.valueOf(Redis.text(answer).toUpperCase(Locale.ROOT)))
        .toList();
  }

  private static String item(String crawlId, FrontierLink link) {
    return PageLease.item(crawlId, link.host(), link.depth(), link.identity(), link.address());
  }

  /// Keeps visits for their holder.
  ///
  /// @return those that are no longer ours
  public List<PageLease> renew(Collection<PageLease> visits) {
    if (visits.isEmpty()) return List.of();
    var held = List.copyOf(visits);
    var arguments = new ArrayList<Object>(List.of(politeness.lease().toMillis()));
    held.forEach(visit -> arguments.add(visit.item()));
    var answers = Redis.list(redis.run(RENEW, List.of(), arguments));
    var lost = new ArrayList<PageLease>();
    for (int i = 0; i < held.size(); i++) {
      if (!Objects.equals(answers.get(i), 1L)) lost.add(held.get(i));
    }
    return lost;
  }

  /// Notes how long to pause between two pages of a host.
  public void govern(String host, Duration pause) {
    redis.run(GOVERN, List.of(), List.of(host, pause.toMillis()));
  }

  /// Claims a further identity of a page that is being visited.
  ///
  /// @return whether no other crawl has it, nor another visit of the same crawl
  public boolean claim(String identity, PageLease visit, boolean evenIfSeen) {
    var key = "crawled:" + identity;
    var claim = "c" + visit.crawlId() + "\t" + visit.identity();
    var life = politeness.lease().toMillis() * 2;
    var taken = redis.call(RedisCommand.SET, key, claim, "NX", "PX", life);
    if (taken != null) return true;
    var holder = Redis.text(redis.call(RedisCommand.GET, key));
    if (holder.equals(claim)) return true;
    if (!evenIfSeen || !holder.startsWith("s")) return false;
    redis.call(RedisCommand.SET, key, claim, "PX", life);
    return true;
  }

  /// Crawls that are to be ended; they come again when they are not ended within the lease.
  public List<String> ending(int most) {
    var lease = Math.max(10_000, politeness.lease().toMillis() * 2);
    return Redis.list(redis.run(ENDING, List.of(), List.of(most, lease))).stream()
        .map(Redis::text)
        .toList();
  }

  /// Takes a crawl out, after its response was published.
  public void ended(String crawlId) {
    redis.run(
        ENDED, List.of(CrawlNames.crawl(crawlId)), List.of(crawlId, politeness.keep().toSeconds()));
  }

  /// Pages that are to be kept as one batch (C5.7).
  public record Batch(String crawlId, int number, String project, List<String> pages) {}

  /// A batch that is to be kept; it comes again when that is not noted in time.
  public Optional<Batch> batch() {
    var lease = Math.max(30_000, politeness.lease().toMillis() * 2);
    var reply = Redis.list(redis.run(BATCH, List.of(), List.of(politeness.batch(), lease)));
    if (reply.isEmpty()) return Optional.empty();
    return Optional.of(
        new Batch(
            Redis.text(reply.get(0)),
            Integer.parseInt(Redis.text(reply.get(1))),
            Redis.text(reply.get(2)),
            Redis.list(reply.get(3)).stream().map(Redis::text).toList()));
  }

  /// Notes that a batch is kept and announced.
  public void kept(Batch batch) {
    redis.run(
        KEPT,
        List.of(),
        List.of(batch.crawlId(), batch.number(), batch.pages().size(), politeness.batch()));
  }

  /// A crawl as it is now; empty when nothing is kept of it.
  public Optional<CrawlRecord> crawl(String crawlId) {
    return CrawlRecord.load(redis, crawlId);
  }

  /// Notes from which offsets on the crawl's response may be in its topic, unless that is noted.
  ///
  /// @return the offsets that are noted now
  public String noteResponseFrom(String crawlId, String offsets) {
    var key = CrawlNames.crawl(crawlId);
    redis.call(RedisCommand.HSETNX, key, CrawlFields.RESPONSE_FROM, offsets);
    return Redis.text(redis.call(RedisCommand.HGET, key, CrawlFields.RESPONSE_FROM));
  }

  /// Keeps what the owner's entity does not hold of a page. Where a gateway keeps its entities
  /// elsewhere, nobody would read it.
  public void noteDetails(CrawlRecord crawl, String json) {
    var entities = CrawlNames.crawls(crawl.owner());
    if (!Objects.equals(redis.call(RedisCommand.HEXISTS, entities, crawl.id()), 1L)) return;
    redis.call(RedisCommand.HSET, CrawlNames.details(crawl.owner()), crawl.id(), json);
  }

  /// The lines about the pages of a crawl.
  public List<String> lines(String crawlId, int most) {
    var key = CrawlNames.crawl(crawlId) + ":pages";
    return Redis.list(redis.call(RedisCommand.LRANGE, key, 0, most - 1)).stream()
        .map(Redis::text)
        .toList();
  }

  // Half of SHA-1 distinguishes the pages of one crawl, in a tenth of the memory.
  private static byte[] fingerprint(String identity) {
    return Arrays.copyOf(Digest.sha1().add(identity).bytes(), 10);
  }
}
