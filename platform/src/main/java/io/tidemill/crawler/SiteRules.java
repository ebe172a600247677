package io.tidemill.crawler;

import static io.tidemill.fetch.connection.FetchFailure.REDIRECT_LOOP;
import static io.tidemill.fetch.connection.FetchFailure.TOO_MANY_REDIRECTS;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemill.content.robots.Robots;
import io.tidemill.content.robots.RobotsAnswer;
import io.tidemill.content.url.WebUrl;
import io.tidemill.crawl.Frontier;
import io.tidemill.crawl.RobotsCache;
import io.tidemill.fetch.FetchRequest;
import io.tidemill.fetch.FetchResult;
import io.tidemill.fetch.Fetcher;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// The robots.txt of sites, read once for all crawlers, and the pauses that they ask for (RFC 9309,
/// F51).
final class SiteRules {
  private static final int MOST_SITES = 20_000;
  private static final Duration KEEP_HERE = Duration.ofMinutes(5);
  private static final byte FOUND = 'r';
  private static final byte NONE = 'n';
  private static final byte KEEP_OUT = 'k';

  /// What holds for one site.
  ///
  /// @param obstacle why robots.txt can't be had: then nothing is allowed
  /// @param isFound whether the site has a robots.txt
  record Rules(Robots robots, @Nullable Obstacle obstacle, boolean isFound) {
    static Rules none(String why, boolean isTransient) {
      return new Rules(Robots.disallowAll(), new Obstacle(why, isTransient), false);
    }
  }

  /// @param isTransient whether it may be gone later
  record Obstacle(String why, boolean isTransient) {}

  private final Fetcher fetcher;
  private final RobotsCache memory;
  private final Frontier frontier;
  private final CrawlerConfig config;
  private final String agent;
  private final Cache<String, CompletableFuture<Rules>> rules =
      Caffeine.newBuilder().maximumSize(MOST_SITES).expireAfterWrite(KEEP_HERE).build();

  /// @param agent the name that a robots.txt calls us by
  SiteRules(
      Fetcher fetcher, RobotsCache memory, Frontier frontier, CrawlerConfig config, String agent) {
    this.fetcher = fetcher;
    this.memory = memory;
    this.frontier = frontier;
    this.config = config;
    this.agent = agent;
  }

  /// The rules of a URL's site; the first caller fetches them, others wait.
  Rules of(WebUrl url) {
    var mine = new CompletableFuture<Rules>();
    var there = rules.asMap().putIfAbsent(url.origin(), mine);
    if (there == null) read(url, mine);
    try {
      return (there == null ? mine : there).join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private void read(WebUrl url, CompletableFuture<Rules> answer) {
    try {
      var found = find(url);
      govern(url, found);
      answer.complete(found);
      // A site that was not reachable is asked again with the next attempt at its pages.
      if (found.obstacle() != null) rules.asMap().remove(url.origin(), answer);
    } catch (RuntimeException | Error failed) {
      rules.asMap().remove(url.origin(), answer);
      answer.completeExceptionally(failed);
    }
  }

  private Rules find(WebUrl url) {
    var kept = memory.find(url.origin());
    return kept.map(this::decode).orElseGet(() -> fetch(url));
  }

  private Rules fetch(WebUrl url) {
    var place = new WebUrl(url.scheme(), url.host(), url.port(), "/robots.txt", null, null);
    return switch (fetcher.fetch(FetchRequest.robots(place))) {
      case FetchResult.Answer answer -> {
        var means = RobotsAnswer.of(answer.status(), answer.body(), agent);
        yield keep(url, answer, means);
      }
      // RFC 9309, 2.3.1.2: behind more than five redirects there are no rules.
      case FetchResult.Failed(_, var kind, _, _)
          when kind == TOO_MANY_REDIRECTS || kind == REDIRECT_LOOP ->
          new Rules(Robots.allowAll(), null, false);
      case FetchResult.Failed failed ->
          Rules.none(unreadable(failed.reason()), failed.kind().isTransient());
    };
  }

  private Rules keep(WebUrl url, FetchResult.Answer answer, RobotsAnswer means) {
    var isFound = answer.status() >= 200 && answer.status() < 300;
    if (answer.status() >= 500 || answer.status() == 429) {
      var why = unreadable("the host answered " + answer.status());
      memory.keep(
          url.origin(), encode(KEEP_OUT, why.getBytes(UTF_8)), config.retryDelay().multipliedBy(4));
      return Rules.none(why, true);
    }
    var kept = isFound ? encode(FOUND, answer.body()) : new byte[] {NONE};
    memory.keep(url.origin(), kept, means.keep());
    return new Rules(means.rules(), null, isFound);
  }

  private static String unreadable(String why) {
    return "its host's robots.txt can't be read: " + why;
  }

  private static byte[] encode(byte kind, byte[] body) {
    var length = Math.min(body.length, Robots.MOST_BYTES);
    var kept = new byte[length + 1];
    kept[0] = kind;
    System.arraycopy(body, 0, kept, 1, length);
    return kept;
  }

  private Rules decode(byte[] kept) {
    var body = kept.length == 0 ? kept : Arrays.copyOfRange(kept, 1, kept.length);
    return switch (kept.length == 0 ? NONE : kept[0]) {
      case FOUND -> new Rules(Robots.parse(body, agent), null, true);
      case KEEP_OUT -> Rules.none(new String(body, UTF_8), true);
      default -> new Rules(Robots.allowAll(), null, false);
    };
  }

  private void govern(WebUrl url, Rules found) {
    frontier.govern(FrontierLinks.host(url), pause(found));
  }

  /// How long to wait between two requests to a URL's host.
  Duration pause(WebUrl url) {
    return pause(of(url));
  }

  private Duration pause(Rules rules) {
    var wanted = rules.robots().crawlDelay().orElse(config.defaultDelay());
    var most = config.maxDelay();
    return wanted.compareTo(most) > 0 ? most : wanted;
  }
}
