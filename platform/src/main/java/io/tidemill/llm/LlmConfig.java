package io.tidemill.llm;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// The language model that jobs ask, read from keys `llm.*`.
@Section("llm")
public record LlmConfig(
    @Setting(
            value = "",
            doc =
                "Base URL of a server that speaks OpenAI's protocol, such as http://127.0.0.1:11434/v1; empty = none.")
        String url,
    @Setting(value = "", doc = "The model that is asked when a job names none.") String model,
    @Setting(value = "", doc = "The API key for that server, if it wants one.", secret = true)
        String key,
    @Setting(value = "10s", doc = "How long the connection may take to open.")
        Duration connectTimeout,
    @Setting(
            value = "2m",
            doc = "How long a call waits for the first piece of its answer, or is tried again.")
        Duration firstToken,
    @Setting(value = "1m", doc = "How long an answer may pause before its call is tried again.")
        Duration silence,
    @Setting(
            value = "10m",
            doc = "How long the answers for one job may take together, with all tries and pauses.")
        Duration timeout,
    @Setting(
            value = "4",
            doc = "Further tries when the server is away, busy or breaks off its answer.")
        int retries,
    @Setting(
            value = "1s",
            doc =
                "The pause before the second try, doubled for each further one up to 30 s; a Retry-After of the server comes first.")
        Duration retryPause,
    @Setting(
            value = "0",
            doc = "The most tokens of an answer when a job does not say; 0 = the server's own.")
        int maxTokens,
    @Setting(
            value = "-1",
            doc = "The temperature, 0 to 2, when a job does not say; -1 = the server's own.")
        double temperature,
    @Setting(value = "256KiB", doc = "The longest answer; a longer one ends its job as error.")
        ByteSize maxAnswer,
    @Setting(value = "4", doc = "Calls of one process at once; further ones wait for their turn.")
        int maxCalls) {
  private static final long LARGEST = 16L << 20;
  private static final String EXAMPLE = "http://127.0.0.1:11434/v1";

  public LlmConfig {
    if (!url.isEmpty()) base(url);
    if (key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException("llm.key has characters that a header can't carry");
    }
    positive("llm.connect-timeout", connectTimeout);
    positive("llm.first-token", firstToken);
    positive("llm.silence", silence);
    positive("llm.timeout", timeout);
    positive("llm.retry-pause", retryPause);
    atLeast("llm.retries", retries, 0);
    atLeast("llm.max-tokens", maxTokens, 0);
    atLeast("llm.max-calls", maxCalls, 1);
    if (!(temperature == -1 || (temperature >= 0 && temperature <= 2))) {
      throw new IllegalArgumentException(
          "llm.temperature is " + temperature + ": expected 0 to 2, or -1");
    }
    if (maxAnswer.bytes() < 1024 || maxAnswer.bytes() > LARGEST) {
      throw new IllegalArgumentException(
          "llm.max-answer is " + maxAnswer.bytes() + ": expected from 1 KiB to 16 MiB");
    }
  }

  private static void positive(String name, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(name + " is " + value + ": expected more than 0");
    }
  }

  private static void atLeast(String name, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " is " + value + ": expected at least " + least);
    }
  }

  private static URI base(String url) {
    try {
      var uri = URI.create(url.replaceFirst("/+$", ""));
      var isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      var isBase = uri.getRawQuery() == null && uri.getRawFragment() == null;
      // A password in it would show up in messages; there is llm.key.
      if (isHttp && isBase && uri.getHost() != null && uri.getRawUserInfo() == null) {
        if (!uri.getPath().endsWith("/completions")) return uri;
      }
    } catch (IllegalArgumentException notAUrl) {
      // Fails below, without the value, which may hold a secret.
    }
    throw new IllegalArgumentException(
        "llm.url can't be used: expected the base of the API, such as " + EXAMPLE);
  }

  /// Where a call goes; empty when there is no server.
  ///
  /// @param path behind the base, such as `/models`
  Optional<URI> endpoint(String path) {
    return url.isEmpty() ? Optional.empty() : Optional.of(URI.create(base(url) + path));
  }

  /// Without the key.
  @Override
  public String toString() {
    return "LlmConfig[url=" + url + ", model=" + model + "]";
  }
}
