package io.tidemill.crawler;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.config.Settings;
import io.tidemill.content.html.MainText;
import io.tidemill.content.html.PageReader;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.url.Cidr;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.crawl.Frontier;
import io.tidemill.crawl.RobotsCache;
import io.tidemill.crawl.UrlConfig;
import io.tidemill.crawler.document.DocumentConfig;
import io.tidemill.crawler.document.DocumentReader;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.crawler.scope.TrapGuard;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.connection.DnsResolver;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.observe.Traces;
import io.tidemill.redis.PubSubChannel;
import io.tidemill.redis.Redis;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.OpenClients;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.trace.MessageSamples;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The crawler role put together: requests in, pages, batches and responses out.
public final class CrawlerRole implements Service {
  /// Everything that can be set about crawling.
  public record Config(
      CrawlerConfig crawler,
      FetchConfig fetch,
      UrlConfig urls,
      ScopeConfig scopes,
      TrapConfig traps,
      DocumentConfig documents) {
    /// The sections of the settings that [#of] reads.
    public static final List<Class<? extends Record>> SECTIONS =
        List.of(
            CrawlerConfig.class,
            FetchConfig.class,
            UrlConfig.class,
            ScopeConfig.class,
            TrapConfig.class,
            DocumentConfig.class);

    public static Config of(Settings settings) {
      return new Config(
          settings.section(CrawlerConfig.class),
          settings.section(FetchConfig.class),
          settings.section(UrlConfig.class),
          settings.section(ScopeConfig.class),
          settings.section(TrapConfig.class),
          settings.section(DocumentConfig.class));
    }
  }

  /// Whom the role talks to.
  public record Servers(Redis redis, KafkaConfig kafka, AmqpConfig amqp, S3Config blobs) {}

  private static final int LONGEST_TEXT = 2_000_000;

  private final Services services;
  private final OpenClients clients = new OpenClients();
  private final KeyedConsumer requests;

  public CrawlerRole(
      Config config, Servers servers, Traces all, MeterRegistry metrics, InstantSource clock) {
    var traces = all.of("crawler");
    var crawler = config.crawler();
    var frontier = new Frontier(servers.redis(), crawler.politeness());
    var fetcher =
        clients.add(new Fetcher(config.fetch(), networks(crawler), DnsResolver.system(), metrics));
    var publisher =
        clients.add(new io.tidemill.amqp.AmqpPublisher(servers.amqp(), "crawler", metrics));
    var kafka = clients.add(new io.tidemill.kafka.KafkaPublisher(servers.kafka(), "crawler"));
    var responses =
        new ResponsePublisher(kafka, clients.add(new PublishedRecordFinder(servers.kafka())));
    var agent = config.fetch().product();
    var sites = new SiteRules(fetcher, new RobotsCache(servers.redis()), frontier, crawler, agent);
    var links =
        new FrontierLinks(
            new UrlNormaliser(config.urls().rules()), new TrapGuard(config.traps(), clock));
    var samples = new MessageSamples(servers.redis(), clock);
    var pages = new PagePublisher(publisher, samples);
    var languages = new LanguageDetector();
    var bodies =
        new BodyParser(
            new PageReader(
                languages, page -> MainText.of(page)::contains, clock, agent, LONGEST_TEXT),
            clients.add(new DocumentReader(config.documents(), metrics)),
            languages,
            config.scopes(),
            agent);
    var sitemaps = new SitemapCrawl(fetcher, sites);
    var work = new PageProcessor(bodies, sitemaps, links, frontier, pages, crawler, clock);
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
      var blobs = clients.add(new ObjectStore(servers.blobs()));
      parts.add(new BatchUploader(frontier, blobs, publisher, samples, crawler, traces, clock));
    }
    parts.add(loop);
    parts.add(new PubSubChannel(servers.redis(), CrawlNames.CANCEL_CHANNEL, loop::cancel));
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
    clients.close();
  }

  /// How the reading of requests goes.
  public HealthCheck health() {
    return () -> {
      if (!requests.isHealthy()) throw new IllegalStateException(requests.describe());
      return requests.describe();
    };
  }

  private static List<Cidr> networks(CrawlerConfig config) {
    return config.allowNetworks().stream().map(Cidr::parse).toList();
  }
}
