package io.tidemill.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What fixtures of upgrades talk to: sites, a webhook and a mail server.
///
/// Always at the same addresses, because URLs that wait in a fixture name them.
final class Surroundings implements AutoCloseable {
  /// When a fixture is made much goes wrong or takes for ever; when it is opened all goes well.
  enum Mood {
    ADVERSE,
    KIND
  }

  static final String NETWORK = "127.83.11.0/24";
  static final String SITE = "http://127.83.11.7:18473";
  static final String LONG_SITE = "http://127.83.11.8:18473";
  static final String UNREAD_SITE = "http://127.83.11.9:18473";
  static final String SMTP = "smtp://127.83.11.7:18475?tls=none";

  /// Pages of the long site, the first one included.
  static final int LONG_PAGES = 13;

  /// Links to pages that are lost while the mood is adverse.
  static final int LOST = 5;

  private final Mood mood;
  private final List<HttpServer> sites = new ArrayList<>();
  private final ServerSocket mail;
  private final CountDownLatch closed = new CountDownLatch(1);

  Surroundings(Mood mood) throws IOException {
    this.mood = mood;
    for (var host : List.of("127.83.11.7", "127.83.11.8", "127.83.11.9")) sites.add(site(host));
    mail = new ServerSocket(18475, 10, InetAddress.getByName("127.83.11.7"));
    Thread.ofVirtual().start(this::acceptMail);
  }

  private HttpServer site(String host) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(host, 18473), 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> answer(host, exchange));
    server.start();
    return server;
  }

  private void answer(String host, HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var isKind = mood == Mood.KIND;
    switch (path) {
      case "/robots.txt" -> send(exchange, 404, "");
      case "/hook/busy" -> send(exchange, isKind ? 200 : 503, "");
      case "/hook/slow", "/held.html" -> {
        if (!isKind) hang();
        send(exchange, 200, page(host, path));
      }
      case "/late.html",
          "/lost/1.html",
          "/lost/2.html",
          "/lost/3.html",
          "/lost/4.html",
          "/lost/5.html" ->
          send(exchange, isKind ? 200 : 404, page(host, path));
      default -> send(exchange, 200, page(host, path));
    }
  }

  private void hang() {
    try {
      closed.await();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private static String page(String host, String path) {
    var links =
        switch (host.substring(host.length() - 1) + path) {
          case "7/" -> List.of("/tides.html", "/mills.html", "/salt.html");
          case "7/lost/" ->
              IntStream.rangeClosed(1, LOST).mapToObj(n -> "/lost/" + n + ".html").toList();
          case "8/" -> IntStream.range(1, LONG_PAGES).mapToObj(n -> "/" + n + ".html").toList();
          case "9/" -> List.of("/a.html", "/b.html");
          default -> List.<String>of();
        };
    return """
    <!doctype html><html lang="en"><title>Page %s of %s</title>
    <p>This is the page %s. %s</p>
    <ul>%s</ul></html>
    """
        .formatted(
            path,
            host,
            path,
            text(path),
            links.stream()
                .map(link -> "<li><a href=\"%s\">%s</a>".formatted(link, link))
                .collect(Collectors.joining()));
  }

  private static String text(String path) {
    return switch (path) {
      case "/tides.html" ->
          "The ocean rises and falls twice a day, because the moon pulls at the water.";
      case "/mills.html" -> "A wheel grinds corn while the pond behind the dam empties.";
      case "/salt.html" -> "Brine is boiled in wide pans until only white crystals are left.";
      default -> "There is a harbour with boats, nets, ropes and gulls at number " + path + ".";
    };
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private void acceptMail() {
    while (!mail.isClosed()) {
      try {
        var socket = mail.accept();
        Thread.ofVirtual().start(() -> takeMail(socket));
      } catch (IOException ended) {
        return;
      }
    }
  }

  private void takeMail(Socket socket) {
    try (socket;
        var in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      var isKind = mood == Mood.KIND;
      say(socket, isKind ? "220 here" : "421 not now");
      var inData = false;
      for (var line = in.readLine(); isKind && line != null; line = in.readLine()) {
        if (inData && !line.equals(".")) continue;
        inData = line.equals("DATA");
        say(socket, inData ? "354 go on" : line.equals("QUIT") ? "221 bye" : "250 fine");
      }
    } catch (IOException left) {
      // The client is gone.
    }
  }

  private static void say(Socket socket, String line) throws IOException {
    socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  @Override
  public void close() {
    closed.countDown();
    sites.forEach(site -> site.stop(0));
    try {
      mail.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
