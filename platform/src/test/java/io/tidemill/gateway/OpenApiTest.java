package io.tidemill.gateway;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.audit.AuditLog;
import io.tidemill.config.Settings;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.crawl.FrontierInspector;
import io.tidemill.dashboard.AuditRoutes;
import io.tidemill.dashboard.TraceRoutes;
import io.tidemill.dashboard.overview.OverviewInspector;
import io.tidemill.dashboard.overview.OverviewRoutes;
import io.tidemill.dashboard.overview.OverviewSampler;
import io.tidemill.dashboard.recordsearch.FindConfig;
import io.tidemill.dashboard.recordsearch.RecordIndexer;
import io.tidemill.dashboard.recordsearch.RecordSearchRoutes;
import io.tidemill.dashboard.recordsearch.RecordSources;
import io.tidemill.dashboard.servers.ServersModule;
import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.deadletter.redrive.RedriveStore;
import io.tidemill.gateway.analytics.AnalyticsRoutes;
import io.tidemill.gateway.crawl.CrawlModule;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.gateway.deadletter.DeadLetterRoutes;
import io.tidemill.gateway.deadletter.RedriveRoutes;
import io.tidemill.gateway.file.CrawlFileRoutes;
import io.tidemill.gateway.file.FileDownload;
import io.tidemill.gateway.file.ResultFileRoutes;
import io.tidemill.gateway.file.ResultFiles;
import io.tidemill.gateway.job.JobEvents;
import io.tidemill.gateway.job.JobRoutes;
import io.tidemill.gateway.mcp.McpConfig;
import io.tidemill.gateway.mcp.McpRoutes;
import io.tidemill.gateway.search.PageRoutes;
import io.tidemill.gateway.search.SearchRoutes;
import io.tidemill.gateway.workflow.WorkflowModule;
import io.tidemill.http.BasePath;
import io.tidemill.http.PublicUrl;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.access.ApiKeys;
import io.tidemill.http.access.SessionRoutes;
import io.tidemill.http.server.HealthRoutes;
import io.tidemill.http.server.MetricsRoutes;
import io.tidemill.job.JobCallStore;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobSubmitter;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.ToolRegistry;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.presence.PresenceStore;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.RedisHealth;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.query.PageSearch;
import io.tidemill.trace.TraceStore;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
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
    var routes = new ContractRoutes("1", BasePath.ROOT).routes();
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
        requireNonNull(
            ContractRoutes.class.getResourceAsStream("/io/tidemill/contract/schema/" + name),
            name)) {
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
    var route = new ContractRoutes("1", BasePath.ROOT).routes().getLast();
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
                S3Config.class,
                CrawlsConfig.class,
                WorkflowsConfig.class,
                SearchConfig.class));
    var jobs = settings.section(JobsConfig.class);
    var search = settings.section(SearchConfig.class);
    try (var redis = new Redis(settings.section(RedisConfig.class));
        var pages = new PageSearch(Path.of("none"), search, CLOCK);
        var metrics = new Metrics()) {
      var store = new JobStore(redis, jobs, CLOCK);
      var health = new RedisHealth(redis);
      var dead = new DeadJobStore(redis, jobs, CLOCK);
      var letters = new DeadLetterCatalog(redis, jobs, CLOCK, Map.of());
      var submitter = new JobSubmitter(store, jobs, health, metrics.registry());
      var tail = new StreamTail(redis, 1, metrics.registry());
      var jobRoutes =
          new JobRoutes(jobs, submitter, store, new JobEvents(store, tail, jobs, CLOCK));
      var tools = new ToolRegistry(redis, jobs);
      var crawls =
          new CrawlModule(
              settings.section(CrawlsConfig.class),
              redis,
              settings.section(KafkaConfig.class),
              new StreamTail(redis, 1, new Metrics().registry()),
              new Traces(ObserveConfig.standard()),
              metrics.registry(),
              CLOCK);
      var flows =
          new WorkflowModule(
              settings.section(WorkflowsConfig.class),
              new CompatConfig(false),
              redis,
              settings.section(KafkaConfig.class),
              new StreamTail(redis, 1, new Metrics().registry()),
              ResultFiles.NONE,
              new Traces(ObserveConfig.standard()),
              metrics.registry(),
              CLOCK);
      var executions =
          new ExecutionStore(
              redis, ExecutionKind.TASK, settings.section(WorkflowsConfig.class), CLOCK);
      var files = new FileDownload(new ObjectStore(settings.section(S3Config.class)));
      var servers =
          new ServersModule(
              new ServersModule.Servers(
                  redis,
                  settings.section(KafkaConfig.class),
                  settings.section(AmqpConfig.class),
                  settings.section(S3Config.class),
                  pages,
                  false,
                  null),
              jobs,
              CLOCK);
      var find =
          new RecordIndexer(
              Path.of("none"),
              new FindConfig(1),
              new RecordSources(
                  redis,
                  jobs,
                  settings.section(WorkflowsConfig.class),
                  settings.section(KafkaConfig.class),
                  List.of()),
              metrics.registry(),
              CLOCK);
      var all =
          List.<Routes>of(
              crawls.routes(),
              flows.routes(),
              new ResultFileRoutes(executions, executions, ResultFiles.NONE, files),
              new CrawlFileRoutes(
                  new CrawlStore(redis, Duration.ofDays(1), CLOCK),
                  files,
                  "crawl-results",
                  PublicUrl.UNKNOWN),
              jobRoutes,
              new ToolRoutes(tools),
              new McpRoutes(
                  new McpConfig(Duration.ofSeconds(1)),
                  jobs,
                  submitter,
                  new McpRoutes.Stores(store, tools, new JobCallStore(redis), tail),
                  "1"),
              new DeadLetterRoutes(letters),
              new RedriveRoutes(
                  new RedriveStore(redis, Duration.ofSeconds(1), Duration.ofDays(1)), letters),
              new TraceRoutes(new TraceStore(redis, ObserveConfig.standard(), CLOCK)),
              new HostRoutes(
                  new FrontierInspector(redis, Duration.ofSeconds(1), 1),
                  new CrawlStore(redis, Duration.ofDays(1), CLOCK)),
              new OverviewRoutes(overview(redis, settings)),
              new StatusRoutes(new JobQueueInspector(redis, jobs), dead, health, List.of(), "1"),
              new SearchRoutes(pages, search),
              new RecordSearchRoutes(find),
              new PageRoutes(pages, _ -> {}, Optional::of),
              new AnalyticsRoutes(null, null),
              new SessionRoutes(new ApiKeys(settings.section(ApiConfig.class), CLOCK), "1"),
              new AuditRoutes(new AuditLog(redis, 1, metrics.registry(), CLOCK)),
              new ContractRoutes("1", BasePath.ROOT),
              servers.routes(),
              new HealthRoutes(Map.of(), CLOCK),
              new MetricsRoutes(metrics));
      return all.stream().flatMap(routes -> routes.routes().stream()).toList();
    }
  }

  private static OverviewSampler overview(Redis redis, Settings settings) {
    var jobs = settings.section(JobsConfig.class);
    var flows = settings.section(WorkflowsConfig.class);
    var frontier = new FrontierInspector(redis, Duration.ofSeconds(1), 1);
    var survey =
        new OverviewInspector(
            new OverviewInspector.Sources(
                new PresenceStore(redis),
                new JobQueueInspector(redis, jobs),
                frontier,
                new ExecutionStore(redis, ExecutionKind.WORKFLOW, flows, CLOCK),
                new ExecutionStore(redis, ExecutionKind.TASK, flows, CLOCK),
                null,
                null,
                Map::of,
                List.of(),
                Map.of()),
            CLOCK);
    return new OverviewSampler(
        survey,
        frontier,
        () -> 0,
        new OverviewSampler.Settings("1", "jobs:stream", 1, 1),
        () -> {});
  }

  private static String name(Route route) {
    return route.method() + " " + route.path();
  }
}
