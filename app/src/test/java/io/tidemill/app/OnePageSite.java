package io.tidemill.app;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// A web site on loopback: a page for each path, and no robots.txt.
final class OnePageSite implements AutoCloseable {
  private final HttpServer server;

  OnePageSite(String html) {
    this(_ -> html);
  }

  /// @param pages the HTML of each path
  OnePageSite(Function<String, String> pages) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException unlucky) {
      throw new UncheckedIOException(unlucky);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          var path = exchange.getRequestURI().getPath();
          var body = pages.apply(path).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(path.equals("/robots.txt") ? 404 : 200, body.length);
          try (var out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
