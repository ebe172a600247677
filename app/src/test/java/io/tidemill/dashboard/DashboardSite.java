package io.tidemill.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/// A small web site to crawl: pages of a folder link to each other. Pages below `/slow` keep
/// everybody waiting until the test is over, all others that nobody published are not found.
final class DashboardSite implements AutoCloseable {
  static {
    // The JDK's server otherwise waits for the other side between head and body.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final Map<String, String> titles = new ConcurrentSkipListMap<>();
  private final Map<String, Collection<String>> lists = new ConcurrentHashMap<>();
  private final Map<String, String> words = new ConcurrentHashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);

  DashboardSite() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getRawPath();
      if (path.startsWith("/slow")) over.await();
      var title = titles.get(path);
      var page = title == null ? new byte[0] : page(path, title).getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
      exchange.sendResponseHeaders(title == null ? 404 : 200, title == null ? -1 : page.length);
      exchange.getResponseBody().write(page);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private String page(String path, String title) {
    var folder = path.substring(0, path.lastIndexOf('/') + 1);
    var near =
        titles.keySet().stream().filter(other -> other.lastIndexOf('/') == folder.length() - 1);
    var links = new StringBuilder();
    var all = lists.containsKey(path) ? lists.get(path) : near.toList();
    for (var link : all) {
      if (link.startsWith(folder)) links.append("<li><a href=\"").append(link).append("\">on</a>");
    }
    return "<!doctype html><html lang=en><title>%s</title><main><h1>%s</h1><p>%s</p><p>%s</p><p>%s</p></main><ul>%s</ul>"
        .formatted(
            escaped(title),
            escaped(title),
            "A tide mill is a water mill driven by the rise and fall of the tide. ".repeat(4),
            "The miller waits for the ebb, opens the sluice and grinds the corn. ".repeat(4),
            // Pages with the same text would be one.
            "This is page %s %s".formatted(path, words.getOrDefault(path, "")),
            links);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  /// Puts a page on the site; answers its URL.
  String publish(String path, String title) {
    titles.put(path, title);
    return url(path);
  }

  /// Puts a page on the site that links to just these.
  String publish(String path, String title, Collection<String> links) {
    lists.put(path, links);
    return publish(path, title);
  }

  /// The same with a word in its text.
  String publish(String path, String title, Collection<String> links, String word) {
    words.put(path, word);
    return publish(path, title, links);
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Override
  public void close() {
    over.countDown();
    server.stop(0);
  }
}
