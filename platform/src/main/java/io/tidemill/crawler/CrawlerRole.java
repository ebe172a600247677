package io.tidemill.crawler;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.broker.kafka.KeyedConsumer;
import io.tidemill.broker.kafka.KeyedSettings;
import io.tidemill.broker.kafka.Lookback;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.crawler.document.DocumentConfig;
import io.tidemill.crawler.document.DocumentReader;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.crawler.scope.TrapGuard;
import io.tidemill.crawler.text.MainText;
import io.tidemill.crawler.text.PageReader;
import io.tidemill.fetch.Cidr;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.Names;
import io.tidemill.http.HealthCheck;
import io.tidemill.observe.Traces;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.store.blob.BlobConfig;
import io.tidemill.store.blob.Blobs;
import io.tidemill.store.redis.Channel;
import io.tidemill.store.redis.Frontier;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.RobotsMemory;
import io.tidemill.store.redis.WireSamples;
import io.tidemill.text.Languages;
import io.tidemill.url.UrlConfig;
import io.tidemill.url.UrlNormaliser;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The crawler role put together: requests in, pages, batches and responses out.
public final class CrawlerRole implements Service {
  /// Everything that can be set about crawling.
  public record Config(
      CrawlerConfig crawler,
      FetchConfig fetch,
      UrlConfig urls,
      ScopeConfig scopes,
      TrapConfig traps,
      DocumentConfig documents) {}

  /// Whom the role talks to.
  public record Servers(Redis redis, KafkaConfig kafka, AmqpConfig amqp, BlobConfig blobs) {}

  private static final Logger log = LoggerFactory.getLogger(CrawlerRole.class);

  private static final int LONGEST_TEXT = 2_000_000;

  private final Services services;
  private final List<AutoCloseable> clients = new ArrayList<>();
  private final KeyedConsumer requests;

  public CrawlerRole(
      Config config, Servers servers, Traces all, MeterRegistry metrics, InstantSource clock) {
    var traces = all.of("crawler");
    var crawler = config.crawler();
    var frontier = new Frontier(servers.redis(), crawler.manners());
    var fetcher = open(new Fetcher(config.fetch(), networks(crawler), Names.system(), metrics));
    var publisher = open(new io.tidemill.broker.amqp.Publisher(servers.amqp(), "crawler", metrics));
    var kafka = open(new io.tidemill.broker.kafka.Publisher(servers.kafka(), "crawler"));
    var responses = new Responses(kafka, open(new Lookback(servers.kafka())));
    var agent = config.fetch().product();
    var sites = new SiteRules(fetcher, new RobotsMemory(servers.redis()), frontier, crawler, agent);
    var links = new Links(new UrlNormaliser(config.urls().rules()), new TrapGuard(config.traps(), clock));
    var samples = new WireSamples(servers.redis(), clock);
    var pages = new Pages(publisher, samples);
    var languages = new Languages();
    var bodies =
        new Bodies(
            new PageReader(
                languages, page -> MainText.of(page)::contains, clock, agent, LONGEST_TEXT),
            open(new DocumentReader(config.documents(), metrics)),
            languages,
            config.scopes(),
            agent);
    var sitemaps = new SitemapWalk(fetcher, sites);
    var work = new PageWork(bodies, sitemaps, links, frontier, pages, crawler, clock);
    var preview = new CrawlPreview(fetcher, sites, sitemaps, links, bodies, config.traps(), clock);
    var visits =
        new PageVisit(fetcher, sites, links, work, preview, crawler, config.scopes(), clock);
    var finisher = new CrawlFinisher(frontier, responses, crawler, traces);
    var loop = new Crawler(crawler, frontier, visits, finisher, config.traps(), traces, metrics);
    var intake = new CrawlIntake(frontier, links, responses, loop::wake, crawler, traces, metrics);
    requests =
        new KeyedConsumer(
            servers.kafka(),
            new KeyedSettings(CrawlNames.CRAWLERS, List.of(CrawlNames.REQUESTS))
                .withMembership(crawler.membership()),
            intake::handle,
            kafka,
            clock,
            metrics);
    var parts = new ArrayList<Service>();
    parts.add(finisher);
    if (crawler.batches()) {
      var blobs = open(new Blobs(servers.blobs()));
      parts.add(new Batches(frontier, blobs, publisher, samples, crawler, traces, clock));
    }
    parts.add(loop);
    parts.add(new Channel(servers.redis(), CrawlNames.CANCEL_CHANNEL, loop::cancel));
    parts.add(requests);
    services = new Services(parts);
  }

  @Override
  public String name() {
    return "crawler role";
  }

  @Override
  public void start() {
    services.start();
  }

  /// Stops taking requests first, then lets pages in flight end.
  @Override
  public void stop() {
    services.close();
    for (var client : clients.reversed()) {
      try {
        client.close();
      } catch (Exception gone) {
        log.debug("a client was gone already: {}", gone.getMessage());
      }
    }
  }

  /// How the reading of requests goes.
  public HealthCheck health() {
    return () -> {
      if (!requests.isHealthy()) throw new IllegalStateException(requests.describe());
      return requests.describe();
    };
  }

  private <T extends AutoCloseable> T open(T client) {
    clients.add(client);
    return client;
  }

  private static List<Cidr> networks(CrawlerConfig config) {
    return config.allowNetworks().stream().map(Cidr::parse).toList();
  }
}
