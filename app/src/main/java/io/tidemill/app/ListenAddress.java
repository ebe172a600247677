package io.tidemill.app;

import io.tidemill.app.wiring.Role;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.http.HttpConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where a process listens for HTTP, known before anything starts.
///
/// @param key the setting that decides its port
record ListenAddress(HttpConfig http, String key) {
  private static final Logger log = LoggerFactory.getLogger(ListenAddress.class);
  private static final String HTTP = "http.port";
  private static final String HEALTH = "health.port";

  /// Settings may be shared by all processes: then `http.port` is the gateway's, and others on the
  /// same machine must not take it.
  static ListenAddress of(Settings settings, Set<Role> roles) {
    var http = settings.section(HttpConfig.class);
    var source = settings.entry(HTTP).source();
    if (roles.contains(Role.GATEWAY) || source.equals("-s")) return new ListenAddress(http, HTTP);
    if (settings.isSet(HTTP) && !settings.isSet(HEALTH)) {
      log.info(
          "http.port (from {}) is left to the gateway: health and metrics of {} get any free port; health.port names one",
          source,
          Role.wires(roles));
    }
    return new ListenAddress(http.withPort(settings.section(HealthConfig.class).port()), HEALTH);
  }

  /// Refuses an address that can't be listened on.
  ///
  /// @throws SettingsException that names the setting and what to do
  void requireFree(Settings settings) {
    if (http.port() == 0) return;
    try {
      bind();
    } catch (IOException taken) {
      throw new SettingsException(
          "%s is %d (from %s): can't listen on %s (%s); stop the program that has the port, or set another with %s"
              .formatted(
                  key,
                  http.port(),
                  settings.entry(key).source(),
                  http.host(),
                  taken.getMessage(),
                  key.equals(HTTP) ? "--http-port or -s http.port=N" : "-s health.port=N"),
          taken);
    }
  }

  boolean isFree() {
    try {
      bind();
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private void bind() throws IOException {
    var address = new InetSocketAddress(http.host(), http.port());
    if (address.isUnresolved()) throw new IOException("unknown host");
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    }
  }
}
