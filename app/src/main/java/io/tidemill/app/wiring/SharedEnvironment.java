package io.tidemill.app.wiring;

import io.tidemill.config.Settings;
import io.tidemill.embedding.EmbeddingConfig;
import io.tidemill.sql.AnalyticsConfig;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The environment in which a further process of this installation works on the same stores: every
/// address, every file and every setting that somebody set.
///
/// @param note what the variables can't say; empty when there is nothing
public record SharedEnvironment(Map<String, String> variables, String note) {
  // Each process has these for itself.
  private static final Pattern OWN =
      Pattern.compile("http\\.(host|port)|(health|servers|log)\\..*");

  public SharedEnvironment {
    variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables)); // in this order
  }

  public static SharedEnvironment of(Settings settings, Endpoints endpoints) {
    var variables = new LinkedHashMap<String, String>();
    var data = settings.section(DataConfig.class).dir();
    variables.put("TIDEMILL_KAFKA_BOOTSTRAP", endpoints.kafka().bootstrap());
    variables.put("TIDEMILL_REDIS_URL", endpoints.redis().url());
    variables.put("TIDEMILL_AMQP_URL", endpoints.amqp().url());
    variables.put("TIDEMILL_S3_ENDPOINT", endpoints.s3().endpoint());
    variables.put("TIDEMILL_S3_ACCESS_KEY", endpoints.s3().accessKey());
    variables.put("TIDEMILL_S3_SECRET_KEY", endpoints.s3().secretKey());
    variables.put("TIDEMILL_DATA_DIR", absolute(data));
    variables.put("TIDEMILL_SEARCH_DIR", absolute(IndexFolder.of(settings)));
    var natives = settings.section(EmbeddingConfig.class).nativeDir();
    if (!natives.isEmpty()) {
      variables.put("TIDEMILL_EMBEDDING_NATIVE_DIR", absolute(Path.of(natives)));
    }
    var analytics = settings.section(AnalyticsConfig.class);
    variables.put(
        "TIDEMILL_ANALYTICS_URL",
        analytics.isPostgres() ? analytics.url() : absolute(analytics.file(data)));
    settings.environment(key -> !OWN.matcher(key).matches()).forEach(variables::putIfAbsent);
    return new SharedEnvironment(
        variables,
        analytics.isPostgres()
            ? ""
            : "analytics.url is a DuckDB file, which one process may open: the one that has collector and processor. For more of them, here or elsewhere, set analytics.url to a PostgreSQL database in all processes.");
  }

  private static String absolute(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }
}
