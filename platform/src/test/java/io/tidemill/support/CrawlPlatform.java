package io.tidemill.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.config.Settings;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.WebUrl;
import io.tidemill.crawl.UrlConfig;
import io.tidemill.crawler.CrawlerRole;
import io.tidemill.gateway.crawl.CrawlModule;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.gateway.search.PageRoutes;
import io.tidemill.gateway.search.QueuedRemovals;
import io.tidemill.gateway.search.SearchRoutes;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.indexer.IndexerRole;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.provision.ContractProvisioner;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.s3.S3Config;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.IndexLocation;
import io.tidemill.search.index.IndexRegistry;
import io.tidemill.search.query.PageSearch;
import io.tidemill.servers.AmqpServer;
import io.tidemill.servers.KafkaServer;
import io.tidemill.servers.LocalServer;
import io.tidemill.servers.LocalServers;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.trace.MessageSamples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Real servers, and the roles from a crawl request to a search result, each of which can be
/// stopped, or run in a process of its own.
public final class CrawlPlatform implements AutoCloseable {
  /// A role that can be stopped.
  public interface Part extends AutoCloseable {
    @Override
    void close();
  }

  private static final InstantSource CLOCK = InstantSource.system();
  private static final List<Class<? extends Record>> SECTIONS =
      Stream.concat(
              CrawlerRole.Config.SECTIONS.stream(),
              Stream.of(
                  RedisConfig.class,
                  KafkaConfig.class,
                  AmqpConfig.class,
                  S3Config.class,
                  CrawlsConfig.class,
                  IndexerConfig.class,
                  SearchConfig.class,
                  HttpConfig.class,
                  ApiConfig.class,
                  ObserveConfig.class))
          .toList();

  private final Path folder;
  private final RedisServer redis;
  private final KafkaServer kafka;
  private final AmqpServer amqp;
  private final S3Server s3;
  private final List<String> overrides;
  private final List<Part> parts = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private int port;

  private CrawlPlatform(String appendFsync, List<String> overrides) {
    try {
      folder = Files.createTempDirectory("tidemill-crawls");
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
    redis = new RedisServer(folder.resolve("redis"), 0, "256mb", appendFsync);
    kafka = new KafkaServer(folder.resolve("kafka"), 0);
    amqp = new AmqpServer(folder.resolve("amqp"), 0, "guest", "guest");
    s3 = new S3Server(folder.resolve("s3"), 0, "tidemill", "tidemill-secret");
    this.overrides = List.copyOf(overrides);
    LocalServers.startAll(servers());
    provision();
  }

  /// The servers alone.
  ///
  /// @param overrides settings of all roles, as `key=value`
  public static CrawlPlatform servers(String... overrides) {
    return new CrawlPlatform("everysec", List.of(overrides));
  }

  /// The servers alone; what Redis answered stays when it is killed.
  public static CrawlPlatform durable(String... overrides) {
    return new CrawlPlatform("always", List.of(overrides));
  }

  /// All servers and all roles, in this process.
  public static CrawlPlatform whole(String... overrides) {
    var platform = servers(overrides);
    platform.gateway();
    platform.indexer();
    platform.crawler();
    return platform;
  }

  private List<LocalServer> servers() {
    return List.of(redis, kafka, amqp, s3);
  }

  private void provision() {
    var settings = settings();
    try {
      ContractProvisioner.create(settings.section(KafkaConfig.class));
      ContractProvisioner.create(settings.section(AmqpConfig.class));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /// The settings of every role here, as `key=value`.
  public List<String> settingsList(String... more) {
    var all =
        new ArrayList<>(
            List.of(
                "redis.url=" + redis.address(),
                "kafka.bootstrap=" + kafka.address(),
                "amqp.url=" + amqp.address(),
                "s3.endpoint=" + s3.address(),
                "search.dir=" + folder.resolve("index"),
                "http.port=0",
                "crawls.doubt-after=500ms",
                "crawler.allow-networks=127.0.0.0/8",
                "crawler.default-delay=0s",
                "crawler.retry-delay=50ms",
                "crawler.lease=30s",
                "crawler.stop-timeout=2s"));
    all.addAll(overrides);
    all.addAll(List.of(more));
    return all;
  }

  private Settings settings(String... more) {
    return settings(settingsList(more));
  }

  /// One section of the settings that every role here has.
  public <T extends Record> T section(Class<T> type) {
    return settings().section(type);
  }

  static Settings settings(List<String> pairs) {
    var values = new LinkedHashMap<String, String>();
    for (var each : pairs) {
      var pair = each.split("=", 2);
      values.put(pair[0], pair[1]);
    }
    return Settings.load(null, Map.of(), values, SECTIONS);
  }

  /// Starts the gateway's side of crawls and search.
  public Part gateway(String... more) {
    var settings = settings(more);
    var client = new Redis(settings.section(RedisConfig.class));
    var metrics = new Metrics();
    var traces = new Traces(settings.section(ObserveConfig.class));
    var tail = new StreamTail(client, 1, metrics.registry());
    var desk =
        new CrawlModule(
            settings.section(CrawlsConfig.class),
            client,
            settings.section(KafkaConfig.class),
            tail,
            traces,
            metrics.registry(),
            CLOCK);
    var search = settings.section(SearchConfig.class);
    var folder = Path.of(search.dir());
    var location = new IndexLocation(registry(client), folder);
    var pages = new PageSearch(folder, search, CLOCK, null, location);
    var publisher = new AmqpPublisher(settings.section(AmqpConfig.class), metrics.registry());
    var normaliser = new UrlNormaliser(settings.section(UrlConfig.class).rules());
    var server =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            List.of(
                desk.routes(),
                new SearchRoutes(pages, search),
                new PageRoutes(
                    pages,
                    new QueuedRemovals(publisher, CLOCK)::remove,
                    text -> WebUrl.parse(text).map(normaliser::normalise))),
            metrics,
            traces,
            CLOCK);
    var part =
        part(List.of(tail, desk, server), List.of(publisher, pages, client, traces, metrics));
    port = server.port();
    return part;
  }

  /// Starts a crawler.
  public Part crawler(String... more) {
    return add(crawler(settings(more)));
  }

  static Part crawler(Settings settings) {
    var client = new Redis(settings.section(RedisConfig.class));
    var metrics = new Metrics();
    var traces = new Traces(settings.section(ObserveConfig.class));
    var role =
        new CrawlerRole(
            CrawlerRole.Config.of(settings),
            new CrawlerRole.Servers(
                client,
                settings.section(KafkaConfig.class),
                settings.section(AmqpConfig.class),
                settings.section(S3Config.class)),
            traces,
            metrics.registry(),
            CLOCK);
    return started(List.of(role), List.of(client, traces, metrics));
  }

  /// Starts an indexer.
  public Part indexer(String... more) {
    return add(indexer(settings(more)));
  }

  static Part indexer(Settings settings) {
    var client = new Redis(settings.section(RedisConfig.class));
    var metrics = new Metrics();
    var role = indexerRole(settings, client, metrics);
    return started(List.of(role), List.of(client, metrics));
  }

  /// An indexer role, not started.
  public IndexerRole indexerRole(Redis client, String... more) {
    return indexerRole(settings(more), client, new Metrics());
  }

  private static IndexerRole indexerRole(Settings settings, Redis client, Metrics metrics) {
    var search = settings.section(SearchConfig.class);
    return new IndexerRole(
        new IndexerRole.Config(
            settings.section(IndexerConfig.class), search, Path.of(search.dir())),
        settings.section(AmqpConfig.class),
        registry(client),
        null,
        MessageSamples.off(),
        new Traces(ObserveConfig.standard()),
        metrics.registry(),
        CLOCK);
  }

  /// The folder of the index that all roles here share.
  public Path indexFolder() {
    return folder.resolve("index");
  }

  /// A process that looks for the index.
  public static IndexRegistry registry(Redis client) {
    var self =
        new IndexRegistry.Member(
            UUID.randomUUID().toString(), "here", ProcessHandle.current().pid());
    return new IndexRegistry(client, self);
  }

  private Part part(List<Service> services, List<AutoCloseable> clients) {
    return add(started(services, clients));
  }

  private Part add(Part part) {
    parts.add(part);
    return part;
  }

  private static Part started(List<Service> services, List<AutoCloseable> clients) {
    var running = new Services(services);
    running.start();
    return () -> {
      running.close();
      for (var client : clients) {
        try {
          client.close();
        } catch (Exception gone) {
          throw new IllegalStateException(gone);
        }
      }
    };
  }

  /// Stops a role before the end of the test.
  public void stop(Part part) {
    parts.remove(part);
    part.close();
  }

  /// A crawler in a process of its own.
  public ChildJvm crawlerProcess(String... more) {
    return new ChildJvm(CrawlerMain.class, settingsList(more).toArray(String[]::new));
  }

  /// An indexer in a process of its own.
  public ChildJvm indexerProcess(String... more) {
    return new ChildJvm(PageIndexerMain.class, settingsList(more).toArray(String[]::new));
  }

  public int port() {
    return port;
  }

  public RedisServer redis() {
    return redis;
  }

  public KafkaServer kafka() {
    return kafka;
  }

  public AmqpServer amqp() {
    return amqp;
  }

  public S3Server s3() {
    return s3;
  }

  public HttpResponse<String> post(String path, String body) {
    return send(request(path).POST(BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> delete(String path) {
    return send(request(path).DELETE());
  }

  public JsonNode get(String path) {
    return Json.parse(ask(path).body());
  }

  public HttpResponse<String> ask(String path) {
    return send(request(path).GET());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  /// Starts a crawl and returns its id.
  ///
  /// @param more further fields of the body, as JSON, such as `"maxPages":5`
  public String crawl(String url, String... more) {
    var body = Json.object().put("url", url).put("email", "test@example.org");
    for (var field : more) {
      for (var entry : Json.parse("{" + field + "}").properties()) {
        body.set(entry.getKey(), entry.getValue());
      }
    }
    var answer = post("/api/crawls", Json.text(body));
    if (answer.statusCode() != 202) throw new AssertionError(answer.body());
    return Json.parse(answer.body()).get("id").stringValue();
  }

  /// Waits for a crawl's end and returns it.
  public JsonNode awaitEnd(String id) {
    await("crawl " + id)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> !get("/api/crawls/" + id).path("status").asString("").equals("pending"));
    return get("/api/crawls/" + id);
  }

  /// Starts a crawl, waits for its end and returns it.
  public JsonNode crawled(String url, String... more) {
    return awaitEnd(crawl(url, more));
  }

  /// What became of each page of a crawl.
  public List<JsonNode> pages(String id) {
    var pages = new ArrayList<JsonNode>();
    get("/api/crawls/" + id + "/pages?limit=1000").get("pages").forEach(pages::add);
    return pages;
  }

  /// Waits until a search finds so many pages, and returns its answer.
  public JsonNode awaitFound(String query, int total) {
    await("search for " + query)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> search(query).path("total").asInt(-1) == total);
    return search(query);
  }

  public JsonNode search(String query) {
    return get("/api/search?q=" + URLEncoder.encode(query, UTF_8));
  }

  @Override
  public void close() {
    for (var part : List.copyOf(parts).reversed()) part.close();
    http.close();
    LocalServers.closeAll(servers());
    try (var files = Files.walk(folder)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException left) {
      folder.toFile().deleteOnExit();
    }
  }
}
