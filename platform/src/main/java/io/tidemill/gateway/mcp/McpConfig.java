package io.tidemill.gateway.mcp;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;

/// Settings of the MCP server, read from keys `mcp.*`.
@Section("mcp")
public record McpConfig(
    @Setting(
            value = "5m",
            doc = "How long one call of a tool over /mcp may take; then its job is canceled.")
        Duration timeout) {
  public McpConfig {
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("mcp.timeout is " + timeout + ": expected more than 0");
    }
  }
}
