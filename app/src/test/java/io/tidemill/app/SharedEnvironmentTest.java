package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.app.wiring.Endpoints;
import io.tidemill.app.wiring.SharedEnvironment;
import io.tidemill.config.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedEnvironmentTest {
  private static final Map<String, String> SERVERS =
      Map.of(
          "redis.url", "redis://127.0.0.1:1",
          "kafka.bootstrap", "127.0.0.1:2",
          "amqp.url", "amqp://u:p@127.0.0.1:3",
          "s3.endpoint", "http://127.0.0.1:4");

  private static Settings settings(Map<String, String> more) {
    var all = new HashMap<>(SERVERS);
    all.putAll(more);
    return Settings.load(null, Map.of(), all, SettingSections.ALL);
  }

  private static SharedEnvironment of(Map<String, String> more) {
    var settings = settings(more);
    return SharedEnvironment.of(settings, Endpoints.configured(settings));
  }

  private static String absolute(String path) {
    return Path.of(path).toAbsolutePath().normalize().toString();
  }

  @Test
  void namesEveryServerAndStoreEvenAtTheirDefaults() {
    assertThat(of(Map.of()).variables())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "TIDEMILL_REDIS_URL", "redis://127.0.0.1:1",
                "TIDEMILL_KAFKA_BOOTSTRAP", "127.0.0.1:2",
                "TIDEMILL_AMQP_URL", "amqp://u:p@127.0.0.1:3",
                "TIDEMILL_S3_ENDPOINT", "http://127.0.0.1:4",
                "TIDEMILL_S3_ACCESS_KEY", "tidemill",
                "TIDEMILL_S3_SECRET_KEY", "tidemill-secret",
                "TIDEMILL_DATA_DIR", absolute("data"),
                "TIDEMILL_SEARCH_DIR", absolute("data/index"),
                "TIDEMILL_ANALYTICS_URL", absolute("data/analytics.duckdb")));
  }

  @Test
  void everythingThatWasSetGoesAlongButWhatIsOfTheProcess() {
    var set = new HashMap<String, String>();
    set.put("api.keys", "admin:anna:0123456789abcdef");
    set.put("llm.key", "secret");
    set.put("crawler.bucket", "mine");
    set.put("records.bucket", "ours");
    set.put("jobs.stream", "other:stream");
    set.put("search.dir", "here/../index");
    set.put("embedding.native-dir", "native");
    set.put("http.base-path", "/tidemill");
    set.put("http.port", "8090");
    set.put("http.host", "127.0.0.1");
    set.put("health.port", "8091");
    set.put("servers.redis.port", "6380");
    set.put("log.level", "debug");

    assertThat(of(set).variables())
        .containsEntry("TIDEMILL_API_KEYS", "admin:anna:0123456789abcdef")
        .containsEntry("TIDEMILL_LLM_KEY", "secret")
        .containsEntry("TIDEMILL_CRAWLER_BUCKET", "mine")
        .containsEntry("TIDEMILL_RECORDS_BUCKET", "ours")
        .containsEntry("TIDEMILL_JOBS_STREAM", "other:stream")
        .containsEntry("TIDEMILL_SEARCH_DIR", absolute("index"))
        .containsEntry("TIDEMILL_EMBEDDING_NATIVE_DIR", absolute("native"))
        .containsEntry("TIDEMILL_HTTP_BASE_PATH", "/tidemill")
        .doesNotContainKeys(
            "TIDEMILL_HTTP_PORT",
            "TIDEMILL_HTTP_HOST",
            "TIDEMILL_HEALTH_PORT",
            "TIDEMILL_SERVERS_REDIS_PORT",
            "TIDEMILL_LOG_LEVEL");
  }

  @Test
  void saysThatDuckDbBelongsToOneProcess() {
    assertThat(of(Map.of()).note()).contains("DuckDB", "one process", "PostgreSQL");

    var shared = of(Map.of("analytics.url", "postgresql://u:p@127.0.0.1:5/tide"));
    assertThat(shared.note()).isEmpty();
    assertThat(shared.variables())
        .containsEntry("TIDEMILL_ANALYTICS_URL", "postgresql://u:p@127.0.0.1:5/tide");
  }

  @Test
  void itIsAnEnvironmentThatSettingsTake() {
    var variables = of(Map.of("flows.task-types", "a,b")).variables();

    var second = Settings.load(null, variables, Map.of(), SettingSections.ALL);

    assertThat(Endpoints.configured(second)).isEqualTo(Endpoints.configured(settings(Map.of())));
  }
}
