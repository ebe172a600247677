package io.tidemill.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.Tool;
import io.tidemill.config.Settings;
import io.tidemill.contract.job.ToolSpec;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.connection.DnsResolver;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.query.PageSearch;
import io.tidemill.support.QuietCall;
import io.tidemill.worker.tool.AnalyticsQueryTool;
import io.tidemill.worker.tool.CrawlStartTool;
import io.tidemill.worker.tool.CrawlStatusTool;
import io.tidemill.worker.tool.EchoTool;
import io.tidemill.worker.tool.HttpGetTool;
import io.tidemill.worker.tool.SearchTool;
import io.tidemill.worker.tool.SleepTool;
import io.tidemill.worker.tool.WorkflowStartTool;
import io.tidemill.worker.tool.WorkflowStatusTool;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tools are called with arguments that fit, or not at all (C3.11).
class ToolHandlerTest {
  private static final String SCHEMA =
      """
      {"type":"object","required":["n"],"additionalProperties":false,"properties":{
        "n":{"type":"integer","minimum":1,"maximum":9},
        "word":{"type":"string","maxLength":3,"pattern":"^[a-z]*$"},
        "kind":{"enum":["a","b"]},
        "list":{"type":"array","items":{"type":"object","properties":{"x":{"type":"number"}}}}}}
      """;

  /// A tool that says what it got.
  private record Made(String name, JsonNode tree) implements Tool {
    @Override
    public ObjectNode schema() {
      return (ObjectNode) tree;
    }

    @Override
    public JsonNode call(JsonNode arguments, JobCall job) {
      return Json.object().set("got", arguments);
    }
  }

  /// A plugin that was written before tools had schemas.
  private static final class Old implements Tool {
    @Override
    public String name() {
      return "old";
    }

    @Override
    public JsonNode call(JsonNode arguments, JobCall job) {
      return arguments;
    }
  }

  private final ToolHandler handler =
      new ToolHandler(List.of(new Made("made", Json.parse(SCHEMA)), new Old()));

  private JsonNode call(String tool, String arguments) throws Exception {
    return handler.handle(QuietCall.of(tool, Json.parse(arguments)));
  }

  @Test
  void callsAToolWithArgumentsThatFit() throws Exception {
    assertThat(
            call("made", "{\"n\":3,\"word\":\"abc\",\"list\":[{\"x\":1.5}]}").at("/got/n").asInt())
        .isEqualTo(3);
    assertThat(call("old", "{\"any\":[1]}").at("/any/0").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'name':'old','args':{'a':1}} | payload.args is not known: expected name, arguments",
        "{'tool':'old'}                | payload.tool is not known: expected name, arguments",
        "{'name':'old','arguments':[]} | payload.arguments must be a JSON object",
        "{}                            | payload.name must name a tool: made, old"
      })
  void namesTheFieldThatIsNoPartOfACall(String payload, String why) {
    var json = Json.parse(payload.replace('\'', '"'));

    assertThatThrownBy(() -> handler.handle(new QuietCall("job", json, 1)))
        .hasMessage(why)
        .asInstanceOf(type(JobFailure.class))
        .extracting(JobFailure::code)
        .isEqualTo("BAD_PAYLOAD");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                       | required property 'n' not found",
        "{'n':'x'}                | n: string found, integer expected",
        "{'n':10}                 | n: must have a maximum value of 9",
        "{'n':1,'m':2}            | property 'm' is not defined",
        "{'n':1,'kind':'c'}       | kind: does not have a value in the enumeration",
        "{'n':1,'word':'abcd'}    | word: must be at most 3 characters",
        "{'n':1,'word':'A'}       | word: does not match the regex pattern",
        "{'n':1,'list':[{'x':''}]}| list.0.x: string found, number expected",
        "{'n':1e99999999}         | n is a number that is out of range"
      })
  void namesTheArgumentThatDoesNotFit(String arguments, String why) {
    assertThatThrownBy(() -> call("made", arguments.replace('\'', '"')))
        .asInstanceOf(type(JobFailure.class))
        .satisfies(failure -> assertThat(failure.code()).isEqualTo("BAD_ARGUMENTS"))
        .extracting(Throwable::getMessage)
        .asString()
        .startsWith(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"type\":\"string\"}",
        "{\"type\":\"object\",\"properties\":[]}",
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"strng\"}}}",
        "{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"(\"}}}",
        "{\"type\":\"object\",\"properties\":{\"a\":{\"minimum\":\"1\"}}}",
        "{\"type\":\"object\",\"$ref\":\"https://example.com/schema.json\"}",
        "{\"type\":\"object\",\"required\":\"a\"}"
      })
  void refusesToStartWithASchemaThatIsNone(String schema) {
    assertThatThrownBy(() -> new ToolHandler(List.of(new Made("odd", Json.parse(schema)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("tool 'odd' can't be used: its schema ")
        .satisfies(wrong -> assertThat(String.valueOf(wrong.getMessage()).lines()).hasSize(1));
  }

  @Test
  void ourOwnSchemasAreSchemas() {
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("redis.url", "redis://127.0.0.1:1"),
            List.of(
                RedisConfig.class, FetchConfig.class, WorkflowsConfig.class, SearchConfig.class));
    var clock = InstantSource.system();
    try (var redis = new Redis(settings.section(RedisConfig.class));
        var fetcher =
            new Fetcher(
                settings.section(FetchConfig.class),
                List.of(),
                DnsResolver.system(),
                new SimpleMeterRegistry())) {
      var crawls = new CrawlStore(redis, Duration.ofDays(1), clock);
      var flows = settings.section(WorkflowsConfig.class);
      List<Tool> ours =
          List.of(
              new EchoTool(),
              new SleepTool(),
              new HttpGetTool(fetcher),
              new SearchTool(ToolHandlerTest::nobody, settings.section(SearchConfig.class)),
              new CrawlStartTool(null, "a@b"),
              new CrawlStatusTool(crawls),
              new WorkflowStartTool(null, clock),
              new WorkflowStatusTool(
                  new ExecutionStore(redis, ExecutionKind.WORKFLOW, flows, clock)),
              new AnalyticsQueryTool(null));

      for (var tool : ours) {
        new ToolSchema(tool.name(), tool.schema()).check();
        assertThat(tool.description()).as(tool.name()).isNotBlank();
      }
    }
  }

  private static PageSearch nobody() {
    throw new AssertionError("nobody searches");
  }

  @Test
  void theLastToolOfANameCountsAndAllAreAnnounced() throws Exception {
    var both =
        new ToolHandler(List.of(new Old(), new Made("old", Json.object().put("type", "object"))));

    assertThat(both.handle(QuietCall.of("old", Json.object())).has("got")).isTrue();
    assertThat(handler.tools()).extracting(ToolSpec::name).containsExactly("made", "old");
    assertThat(new HandlerRegistry(List.of(handler)).tools()).hasSize(2);
  }
}
