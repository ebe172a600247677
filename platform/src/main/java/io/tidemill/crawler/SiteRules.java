package io.tidemill.crawler;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemill.crawler.robots.Robots;
import io.tidemill.crawler.robots.RobotsAnswer;
import io.tidemill.fetch.FetchRequest;
import io.tidemill.fetch.Fetched;
import io.tidemill.fetch.Fetcher;
import io.tidemill.store.redis.Frontier;
import io.tidemill.store.redis.RobotsMemory;
import io.tidemill.url.WebUrl;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// What sites allow: their robots.txt, read once for all crawlers, and the pauses they ask for (RFC
/// 9309, F51).
final class SiteRules {
  private static final int MOST_SITES = 20_000;
  private static final Duration KEEP_HERE = Duration.ofMinutes(5);
  private static final String BUSY = "its host's robots.txt can't be read: the host is in trouble";
  private static final byte FOUND = 'r';
  private static final byte NONE = 'n';
  private static final byte KEEP_OUT = 'k';

  /// What holds for one site.
  ///
  /// @param trouble why robots.txt can't be had: then nothing is allowed (5xx); null when it can
  /// @param isHopeless whether that will not change
  record Rules(Robots robots, @Nullable String trouble, boolean isHopeless) {
    static Rules of(Robots robots) {
      return new Rules(robots, null, false);
    }

    static Rules keepOut(String trouble) {
      return new Rules(Robots.disallowAll(), trouble, false);
    }

    boolean isReachable() {
      return trouble == null;
    }
  }

  private final Fetcher fetcher;
  private final RobotsMemory memory;
  private final Frontier frontier;
  private final CrawlerConfig config;
  private final String agent;
  private final Cache<String, CompletableFuture<Rules>> rules =
      Caffeine.newBuilder().maximumSize(MOST_SITES).expireAfterWrite(KEEP_HERE).build();

  /// @param agent the name that a robots.txt calls us by
  SiteRules(
      Fetcher fetcher, RobotsMemory memory, Frontier frontier, CrawlerConfig config, String agent) {
    this.fetcher = fetcher;
    this.memory = memory;
    this.frontier = frontier;
    this.config = config;
    this.agent = agent;
  }

  /// The rules of a URL's site; whoever asks first fetches them, the others wait.
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
      if (!found.isReachable()) rules.asMap().remove(url.origin(), answer);
    } catch (RuntimeException failed) {
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
      case Fetched.Answer answer -> {
        var means = RobotsAnswer.of(answer.status(), answer.body(), agent);
        yield keep(url, answer, means);
      }
      case Fetched.Failed failed -> failed(failed);
    };
  }

  private static Rules failed(Fetched.Failed failed) {
    return switch (failed.kind()) {
      // RFC 9309, 2.3.1.2: after five redirects there are no rules.
      case TOO_MANY_REDIRECTS, REDIRECT_LOOP -> Rules.of(Robots.allowAll());
      case FORBIDDEN_ADDRESS, BAD_URL, TLS ->
          new Rules(Robots.disallowAll(), failed.reason(), true);
      default -> Rules.keepOut("its host's robots.txt can't be read: " + failed.reason());
    };
  }

  private Rules keep(WebUrl url, Fetched.Answer answer, RobotsAnswer means) {
    var isFound = answer.status() >= 200 && answer.status() < 300;
    var isReachable = answer.status() < 500 && answer.status() != 429;
    if (isReachable) {
      memory.keep(url.origin(), isFound ? encode(answer.body()) : new byte[] {NONE}, means.keep());
    } else {
      memory.keep(url.origin(), new byte[] {KEEP_OUT}, config.retryDelay().multipliedBy(4));
    }
    return isReachable ? Rules.of(means.rules()) : Rules.keepOut(BUSY);
  }

  private static byte[] encode(byte[] body) {
    var length = Math.min(body.length, Robots.MOST_BYTES);
    var kept = new byte[length + 1];
    kept[0] = FOUND;
    System.arraycopy(body, 0, kept, 1, length);
    return kept;
  }

  private Rules decode(byte[] kept) {
    return switch (kept.length == 0 ? NONE : kept[0]) {
      case FOUND -> Rules.of(Robots.parse(Arrays.copyOfRange(kept, 1, kept.length), agent));
      case KEEP_OUT -> Rules.keepOut(BUSY);
      default -> Rules.of(Robots.allowAll());
    };
  }

  private void govern(WebUrl url, Rules found) {
    var wanted = found.robots().crawlDelay().orElse(config.defaultDelay());
    var most = config.maxDelay();
    frontier.govern(Links.host(url), wanted.compareTo(most) > 0 ? most : wanted);
  }
}
