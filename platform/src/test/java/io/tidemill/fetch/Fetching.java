package io.tidemill.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.config.Settings;
import io.tidemill.content.url.Cidr;
import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.connection.DnsResolver;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Fetchers for tests, and what is asked of them.
final class Fetching {
  static final List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"));

  private Fetching() {}

  /// @param overrides as `key=value`, without the `fetch.`
  static FetchConfig config(String... overrides) {
    var values = new LinkedHashMap<String, String>();
    for (var override : overrides) {
      var pair = override.split("=", 2);
      values.put("fetch." + pair[0], pair[1]);
    }
    return Settings.load(null, Map.of(), values, List.of(FetchConfig.class))
        .section(FetchConfig.class);
  }

  /// One that may visit loopback.
  static Fetcher fetcher(String... overrides) {
    return new Fetcher(
        config(overrides), LOOPBACK, DnsResolver.system(), new SimpleMeterRegistry());
  }

  static WebUrl url(String text) {
    return WebUrl.parse(text).orElseThrow();
  }

  static FetchResult.Answer answer(FetchResult fetched) {
    assertThat(fetched).isInstanceOf(FetchResult.Answer.class);
    return (FetchResult.Answer) fetched;
  }

  static FetchResult.Failed failed(FetchResult fetched) {
    assertThat(fetched).isInstanceOf(FetchResult.Failed.class);
    return (FetchResult.Failed) fetched;
  }
}
