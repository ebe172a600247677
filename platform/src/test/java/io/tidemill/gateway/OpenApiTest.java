package io.tidemill.gateway;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.broker.streams.StreamTail;
import io.tidemill.config.Settings;
import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.dashboard.AuditRoutes;
import io.tidemill.dashboard.TraceRoutes;
import io.tidemill.dashboard.find.FindConfig;
import io.tidemill.dashboard.find.FindKeeper;
import io.tidemill.dashboard.find.FindRoutes;
import io.tidemill.dashboard.find.FindSources;
import io.tidemill.dashboard.overview.OverviewRoutes;
import io.tidemill.dashboard.overview.Sampler;
import io.tidemill.dashboard.overview.Survey;
import io.tidemill.dashboard.servers.ServersDesk;
import io.tidemill.gateway.dead.DeadRoutes;
import io.tidemill.gateway.dead.Letters;
import io.tidemill.gateway.dead.RedriveRoutes;
import io.tidemill.http.ApiConfig;
import io.tidemill.http.ApiKeys;
import io.tidemill.http.Health;
import io.tidemill.http.MetricsRoutes;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.SessionRoutes;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.store.blob.BlobConfig;
import io.tidemill.store.redis.AuditLog;
import io.tidemill.store.redis.CallStore;
import io.tidemill.store.redis.CrawlStore;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.FrontierView;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.JobStore;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.Presence;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.RedisConfig;
import io.tidemill.store.redis.RedisHealth;
import io.tidemill.store.redis.Redrives;
import io.tidemill.store.redis.ToolStore;
import io.tidemill.store.redis.TraceStore;
import io.tidemill.store.search.PageSearch;
import io.tidemill.store.search.SearchConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class OpenApiTest {
  private static final InstantSource CLOCK = InstantSource.system();

  @Test
  void theDescriptionNamesEveryRouteAndNoOther() throws Exception {
    assertThat(described()).isEqualTo(served());
  }

  @Test
  void everyReferenceLeadsSomewhere() throws Exception {
    var document = document();
    document.findValues("$ref").stream()
        .map(JsonNode::stringValue)
        .forEach(reference -> assertThat(document.at(reference.substring(1)).isObject()).isTrue());
  }

  @Test
  void everyReferenceOfTheMessagesLeadsSomewhere() throws Exception {
    var messages = Json.parse(contents("asyncapi.json"));
    for (var reference : messages.findValues("$ref")) {
      var name = reference.stringValue();
      if (name.startsWith("#")) assertThat(messages.at(name.substring(1)).isObject()).isTrue();
      else assertThat(Json.parse(contents(name.replace("/contracts/", ""))).isObject()).isTrue();
    }
  }

  @Test
  void everyContractThatIsListedIsServed() throws Exception {
    var routes = new ContractRoutes("1").routes();
    var listed = Json.parse(body(routes.get(0), Request.of("GET", "/contracts/"))).get("contracts");

    for (var path : listed.valueStream().map(JsonNode::stringValue).toList()) {
      var name = path.substring(path.lastIndexOf('/') + 1);
      var route = routes.get(path.contains("/streamops/") ? 2 : 1);
      var request = Request.of("GET", path).withPathParam("name", name);
      assertThat(Json.parse(body(route, request)).isObject()).as(path).isTrue();
    }
  }

  private static byte[] body(Route route, Request request) throws Exception {
    return ((Response.Body) route.handler().handle(request)).body();
  }

  private static byte[] contents(String name) throws Exception {
    try (var in =
        requireNonNull(OpenApiRoutes.class.getResourceAsStream("contracts/" + name), name)) {
      return in.readAllBytes();
    }
  }

  private static Set<String> described() throws Exception {
    return document().get("paths").properties().stream()
        .flatMap(path ->
            path.getValue().properties().stream()
                .map(method -> method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey()))
        .collect(Collectors.toSet());
  }

  private static JsonNode document() throws Exception {
    var route = new OpenApiRoutes("1").routes().getFirst();
    var answer = (Response.Body) route.handler().handle(Request.of("GET", "/openapi.json"));
    return Json.parse(answer.body());
  }

  private static Set<String> served() {
    return all().stream().map(OpenApiTest::name).collect(Collectors.toSet());
  }

  /// Every route of the product; their handlers lead nowhere.
  static List<Route> all() {
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("redis.url", "redis://127.0.0.1:1"),
            List.of(
                ApiConfig.class,
                RedisConfig.class,
                JobsConfig.class,
                KafkaConfig.class,
                AmqpConfig.class,
                BlobConfig.class,
                CrawlsConfig.class,
                FlowsConfig.class,
                SearchConfig.class));
    var jobs = settings.section(JobsConfig.class);
    var search = settings.section(SearchConfig.class);
    try (var redis = new Redis(settings.section(RedisConfig.class));
        var pages = new PageSearch(Path.of("none"), search, CLOCK);
        var metrics = new Metrics()) {
      var store = new JobStore(redis, jobs, CLOCK);
      var health = new RedisHealth(redis);
      var dead = new DeadJobs(redis, jobs, CLOCK);
      var letters = new Letters(redis, jobs, CLOCK, Map.of());
      var submissions = new Submissions(store, jobs, health, metrics.registry());
      var tail = new StreamTail(redis, 1, metrics.registry());
      var jobRoutes =
          new JobRoutes(jobs, submissions, store, new JobEvents(store, tail, jobs, CLOCK));
      var tools = new ToolStore(redis, jobs);
      var crawls =
          new CrawlDesk(
              settings.section(CrawlsConfig.class),
              redis,
              settings.section(KafkaConfig.class),
              new StreamTail(redis, 1, new Metrics().registry()),
              new Traces(ObserveConfig.standard()),
              metrics.registry(),
              CLOCK);
      var flows =
          new FlowDesk(
              settings.section(FlowsConfig.class),
              redis,
              settings.section(KafkaConfig.class),
              new StreamTail(redis, 1, new Metrics().registry()),
              new Traces(ObserveConfig.standard()),
              metrics.registry(),
              CLOCK);
      var servers =
          new ServersDesk(
              new ServersDesk.Servers(
                  redis,
                  settings.section(KafkaConfig.class),
                  settings.section(AmqpConfig.class),
                  settings.section(BlobConfig.class),
                  pages,
                  false,
                  null),
              jobs,
              CLOCK);
      var find =
          new FindKeeper(
              Path.of("none"),
              new FindConfig(1),
              new FindSources(
                  redis,
                  jobs,
                  settings.section(FlowsConfig.class),
                  settings.section(KafkaConfig.class),
                  List.of()),
              metrics.registry(),
              CLOCK);
      var all =
          List.<Routes>of(
              crawls.routes(),
              flows.routes(),
              jobRoutes,
              new ToolRoutes(tools),
              new McpRoutes(
                  new McpConfig(Duration.ofSeconds(1)),
                  jobs,
                  jobRoutes,
                  new McpRoutes.Stores(store, tools, new CallStore(redis), tail),
                  "1"),
              new DeadRoutes(letters),
              new RedriveRoutes(
                  new Redrives(redis, Duration.ofSeconds(1), Duration.ofDays(1)), letters),
              new TraceRoutes(new TraceStore(redis, ObserveConfig.standard(), CLOCK)),
              new HostRoutes(
                  new FrontierView(redis, Duration.ofSeconds(1), 1),
                  new CrawlStore(redis, Duration.ofDays(1), CLOCK)),
              new OverviewRoutes(overview(redis, settings)),
              new StatusRoutes(new JobQueue(redis, jobs), dead, health, List.of(), "1"),
              new SearchRoutes(pages, search),
              new FindRoutes(find),
              new PageRoutes(pages, _ -> {}, Optional::of),
              new AnalyticsRoutes(null, null),
              new SessionRoutes(new ApiKeys(settings.section(ApiConfig.class), CLOCK), "1"),
              new AuditRoutes(new AuditLog(redis, 1, metrics.registry(), CLOCK)),
              new OpenApiRoutes("1"),
              new ContractRoutes("1"),
              servers.routes(),
              new Health(Map.of(), CLOCK),
              new MetricsRoutes(metrics));
      return all.stream().flatMap(routes -> routes.routes().stream()).toList();
    }
  }

  private static Sampler overview(Redis redis, Settings settings) {
    var jobs = settings.section(JobsConfig.class);
    var flows = settings.section(FlowsConfig.class);
    var frontier = new FrontierView(redis, Duration.ofSeconds(1), 1);
    var survey =
        new Survey(
            new Survey.Sources(
                new Presence(redis),
                new JobQueue(redis, jobs),
                frontier,
                new FlowStore(redis, FlowKind.WORKFLOW, flows, CLOCK),
                new FlowStore(redis, FlowKind.TASK, flows, CLOCK),
                null,
                null,
                Map::of,
                List.of(),
                Map.of()),
            CLOCK);
    return new Sampler(
        survey, frontier, () -> 0, new Sampler.Settings("1", "jobs:stream", 1, 1), () -> {});
  }

  private static String name(Route route) {
    return route.method() + " " + route.path();
  }
}
