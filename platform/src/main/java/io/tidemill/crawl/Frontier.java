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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The pages that crawls have yet to fetch, and the manners towards their hosts, shared by all
/// crawlers (C4.3).
///
/// Crawlers hold pages by lease: what one of them held when it died goes to another. Only the
/// holder's word about a page counts. Every method may throw [RedisException] and may then be
/// repeated; a repeated [#take] leaves the first one's pages to run out.
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

  /// Manners and times that hold for all crawls.
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

  /// What there was to take.
  ///
  /// @param pause until it is worth asking again
  public record Taken(List<PageLease> visits, Duration pause) {}

  private record Done(PageLease visit, VisitResult end) {}

  private final Redis redis;
  private final PolitenessPolicy manners;
  private final CallBatcher<Done, String> ends = new CallBatcher<>(this::endAll, Frontier::weight);

  public Frontier(Redis redis, PolitenessPolicy manners) {
    this.redis = redis;
    this.manners = manners;
  }

  /// Puts a crawl in, once.
  ///
  /// @param fields what is to be remembered of it
  /// @return `begun`, or the state that it had already
  public String begin(String crawlId, FrontierLink first, Map<String, ?> fields) {
    var arguments = new ArrayList<Object>();
    arguments.add(crawlId);
    arguments.add(item(crawlId, first));
    arguments.add(first.host());
    arguments.add(fingerprint(first.identity()));
    arguments.add(manners.keep().toSeconds());
    fields.forEach((name, value) -> {
      arguments.add(name);
      arguments.add(value);
    });
    var keys = List.of(CrawlNames.crawl(crawlId), CrawlNames.events(crawlId));
    return Redis.text(redis.run(BEGIN, keys, arguments));
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
                    manners.lease().toMillis(),
                    manners.pause().toMillis(),
                    manners.parallel(),
                    LONGEST_WAIT_MILLIS)));
    var visits = reply.stream().skip(1).map(entry -> PageLease.of(Redis.list(entry))).toList();
    return new Taken(visits, Duration.ofMillis((Long) reply.getFirst()));
  }

  /// Ends a visit. Visits that end at the same time are ended together.
  ///
  /// @return `done`, `idle` when it was the crawl's last, `fenced` when it was no longer ours,
  ///   `over` when the crawl had ended
  public String done(PageLease visit, VisitResult end) {
    var links = end.links();
    while (links.size() > MOST_LINKS) {
      if (!offer(visit, links.subList(0, MOST_LINKS))) return "fenced";
      links = links.subList(MOST_LINKS, links.size());
    }
    return ends.call(new Done(visit, end.withLinks(links)));
  }

  // No script may hold up everybody else for long.
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

  private List<String> endAll(List<Done> all) {
    var arguments = new ArrayList<Object>(List.of(manners.batch()));
    for (var one : all) {
      var end = one.end();
      arguments.add(one.visit().item());
      arguments.add(end.kind().name().toLowerCase(Locale.ROOT));
      arguments.add(end.bytes());
      arguments.add(manners.seenTtl().toMillis());
      arguments.add(end.retryAfter().toMillis());
      arguments.add(end.hostPause().toMillis());
      var words = end.words();
      arguments.addAll(List.of(words.data(), words.line(), words.base(), words.kept()));
      arguments.add(words.memory());
      // Without a version only its links are of use, and only while it is not fetched again.
      arguments.add((words.hasVersion() ? manners.memory() : manners.seenTtl()).toMillis());
      arguments.add(end.aliases().size());
      arguments.addAll(end.aliases());
      arguments.add(end.links().size());
      addLinks(arguments, one.visit(), end.links());
    }
    return Redis.list(redis.run(DONE, List.of(), arguments)).stream().map(Redis::text).toList();
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
    var arguments = new ArrayList<Object>(List.of(manners.lease().toMillis()));
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
  /// @return whether nobody else has it, nor another visit of the same crawl
  public boolean claim(String identity, PageLease visit, boolean evenIfSeen) {
    var key = "crawled:" + identity;
    var claim = "c" + visit.crawlId() + "\t" + visit.identity();
    var life = manners.lease().toMillis() * 2;
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
    var lease = Math.max(10_000, manners.lease().toMillis() * 2);
    return Redis.list(redis.run(ENDING, List.of(), List.of(most, lease))).stream()
        .map(Redis::text)
        .toList();
  }

  /// Takes a crawl out, after its response was published.
  public void ended(String crawlId) {
    redis.run(
        ENDED, List.of(CrawlNames.crawl(crawlId)), List.of(crawlId, manners.keep().toSeconds()));
  }

  /// Pages that are to be kept as one batch (C5.7).
  public record Batch(String crawlId, int number, String project, List<String> pages) {}

  /// A batch that is to be kept; it comes again when that is not noted in time.
  public Optional<Batch> batch() {
    var lease = Math.max(30_000, manners.lease().toMillis() * 2);
    var reply = Redis.list(redis.run(BATCH, List.of(), List.of(manners.batch(), lease)));
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
        List.of(batch.crawlId(), batch.number(), batch.pages().size(), manners.batch()));
  }

  /// What is remembered of a crawl; empty when it is unknown.
  public Map<String, byte[]> crawl(String crawlId) {
    return Redis.rawMap(redis.call(RedisCommand.HGETALL, CrawlNames.crawl(crawlId)));
  }

  /// Remembers something of a crawl, unless it is there.
  ///
  /// @return what is remembered now
  public String note(String crawlId, String field, String value) {
    redis.call(RedisCommand.HSETNX, CrawlNames.crawl(crawlId), field, value);
    return Redis.text(redis.call(RedisCommand.HGET, CrawlNames.crawl(crawlId), field));
  }

  /// The lines about the pages of a crawl.
  public List<String> lines(String crawlId, int most) {
    var key = CrawlNames.crawl(crawlId) + ":pages";
    return Redis.list(redis.call(RedisCommand.LRANGE, key, 0, most - 1)).stream()
        .map(Redis::text)
        .toList();
  }

  /// What is known of a host: `delay`, `until`, `busy` and so on.
  public Map<String, String> host(String host) {
    return Redis.map(redis.call(RedisCommand.HGETALL, "frontier:host:" + host));
  }

  // Half of SHA-1 is enough to tell the pages of one crawl apart, in a tenth of the memory.
  private static byte[] fingerprint(String identity) {
    return Arrays.copyOf(Digest.sha1().add(identity).bytes(), 10);
  }
}
