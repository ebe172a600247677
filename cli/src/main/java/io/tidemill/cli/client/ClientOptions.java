package io.tidemill.cli.client;

import io.tidemill.cli.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of every command that calls a gateway.
public final class ClientOptions {
  @Mixin private SharedOptions shared = new SharedOptions();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The gateway; else TIDEMILL_HTTP_URL, else the instance of the data folder.",
      order = 80)
  private @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The API key; else TIDEMILL_API_KEY.",
      order = 81)
  private @Nullable String key;

  @Option(names = "--json", description = "Print JSON for scripts.", order = 82)
  private boolean json;

  public boolean isJson() {
    return json;
  }

  /// A command to type next, for the same gateway.
  public String command(String words) {
    return "tidemill " + words + (url == null ? "" : " --url " + Terminal.oneLine(url));
  }

  /// A client of the gateway that these options and the session lead to.
  public GatewayClient gateway(CommandSession session) {
    var settings = ClientSettings.of(shared, session.env());
    var address = url != null ? GatewayClient.address("--url", url) : settings.gateway();
    var given = key != null ? key : session.env().get("TIDEMILL_API_KEY");
    return new GatewayClient(address, given == null || given.isBlank() ? null : given.strip());
  }
}
