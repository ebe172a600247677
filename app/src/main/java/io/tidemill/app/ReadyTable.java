package io.tidemill.app;

import io.tidemill.app.wiring.Addresses;
import io.tidemill.cli.client.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What `up` prints when everything is ready.
final class ReadyTable {
  private static final String USUAL = "http://127.0.0.1:8080";

  private ReadyTable() {}

  static String of(Addresses addresses, Path data, List<String> roles, Duration took) {
    // The default address of the commands.
    var where = addresses.http().equals(USUAL) ? "" : " --url " + addresses.http();
    return """

    Tidemill %s is ready in %.1f s: %s

      dashboard  %s/
      http       %s
      redis      %s
      kafka      %s
      amqp       %s
      s3         %s
      data       %s

    Open the dashboard, or try in another terminal:
      ./tidemill crawl https://example.com --pages 20 --follow%s
      ./tidemill search example%s
      curl -s %s/v1/jobs -d '{"task":"tool","payload":{"name":"echo"}}'

    Ctrl-C stops it; the data stays.
    """
        .formatted(
            Version.current(),
            took.toMillis() / 1000.0,
            String.join(", ", roles),
            addresses.http(),
            addresses.http(),
            hidePassword(addresses.redis()),
            addresses.kafka(),
            hidePassword(addresses.amqp()),
            addresses.s3(),
            data.toAbsolutePath().normalize(),
            where,
            where,
            addresses.http());
  }

  /// An address without its password, unless that is the well-known one of guest.
  static String hidePassword(String url) {
    return url.contains("//guest:guest@")
        ? url
        : url.replaceFirst("//([^:/@]*):[^@]*@", "//$1:***@");
  }
}
