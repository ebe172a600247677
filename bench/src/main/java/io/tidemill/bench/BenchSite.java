package io.tidemill.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/// A web site on this machine: pages of about 20 KB that differ in text and links, served at little
/// cost, so that a crawl of it measures the crawler.
///
/// A page is put together from ready parts for each request: all of them would not fit the memory.
final class BenchSite implements AutoCloseable {
  private static final int PARAGRAPHS = 1_000;
  private static final int OF_A_PAGE = 20;
  private static final int BRANCHES = 10;
  private static final int OTHERS = 8;
  private static final byte[] ROBOTS = bytes("User-agent: *\nDisallow: /private/\n");

  private final int pages;
  private final byte[][] paragraphs = new byte[PARAGRAPHS][];
  private final String[] titles = new String[PARAGRAPHS];
  private final byte[] top = bytes(top());
  private final byte[] bottom = bytes(bottom());
  private final ServerSocket socket;

  BenchSite(int pages) throws IOException {
    this.pages = pages;
    var prose = new ProseGenerator(7);
    for (int i = 0; i < PARAGRAPHS; i++) {
      titles[i] = prose.title();
      var text = prose.paragraph(560);
      var end = text.indexOf(' ', 40);
      paragraphs[i] =
          bytes("<p><em>%s</em>%s</p>\n".formatted(text.substring(0, end), text.substring(end)));
    }
    socket = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("site").start(this::accept);
  }

  private static String top() {
    var nav =
        new StringBuilder("<body class=\"page\"><header class=\"site-header\"><a href=\"/p/0\">");
    nav.append("<img src=\"/logo.png\" alt=\"Home\"></a>\n<nav class=\"main-menu\"><ul>\n");
    for (int i = 0; i < 8; i++) {
      nav.append(
          "<li class=\"menu-item item-%d\"><a class=\"menu-link\" href=\"/p/%d\">".formatted(i, i));
      nav.append("Section %d</a></li>\n".formatted(i));
    }
    return nav + "</ul></nav></header>\n<main id=\"content\"><article class=\"post\">\n";
  }

  private static String bottom() {
    var foot = new StringBuilder("</ul></aside></main>\n<footer class=\"site-footer\">");
    for (int i = 0; i < 6; i++) {
      foot.append("<div class=\"column\"><h4>Column %d</h4><ul>".formatted(i));
      foot.append("<li><a href=\"/p/%d\" rel=\"nofollow\">Terms</a></li>".formatted(i));
      foot.append("<li><span class=\"label\">Opening hours and address</span></li></ul></div>\n");
    }
    foot.append("<p class=\"copyright\">All rights reserved.</p></footer>\n<script>\n");
    for (int i = 0; i < 20; i++)
      foot.append("window.q%d=function(a){return a+%d};\n".formatted(i, i));
    return foot + "</script></body></html>\n";
  }

  /// The page's HTML.
  byte[] page(int number) {
    var out = new ByteArrayOutputStream(24 * 1024);
    var random = new Random(number);
    out.writeBytes(bytes(head(number)));
    out.writeBytes(top);
    out.writeBytes(
        bytes(
            "<h1>%s %d</h1>\n<p class=\"byline\">By the editors</p>\n"
                .formatted(title(number), number)));
    for (int i = 0; i < OF_A_PAGE; i++) {
      if (i % 6 == 5)
        out.writeBytes(bytes("<h2>" + titles[random.nextInt(PARAGRAPHS)] + "</h2>\n"));
      out.writeBytes(paragraphs[random.nextInt(PARAGRAPHS)]);
    }
    out.writeBytes(bytes(related(number, random)));
    out.writeBytes(bottom);
    return out.toByteArray();
  }

  private String title(int number) {
    return titles[number % PARAGRAPHS];
  }

  private String head(int number) {
    return """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>%s %d</title>
    <meta name="description" content="%s and more">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="/style.css"><link rel="icon" href="/icon.png">
    <meta property="article:published_time" content="2026-01-%02dT08:00:00Z">
    <style>body{margin:0;font:16px serif}.menu-item{display:inline}.post{max-width:40em}</style>
    </head>
    """
        .formatted(title(number), number, title(number + 1), 1 + number % 28);
  }

  // A tree, so that every page is found, and some links across.
  private String related(int number, Random random) {
    var links = new StringBuilder("</article>\n<aside class=\"related\"><h3>Related</h3><ul>\n");
    for (int i = 1; i <= BRANCHES; i++) {
      var child = (long) number * BRANCHES + i;
      if (child < pages) link(links, (int) child);
    }
    for (int i = 0; i < OTHERS; i++) link(links, random.nextInt(pages));
    return links.toString();
  }

  private void link(StringBuilder links, int to) {
    links.append("<li class=\"related-item\"><a class=\"related-link\" href=\"/p/").append(to);
    links.append("\" title=\"Read more\">").append(title(to)).append("</a></li>\n");
  }

  int port() {
    return socket.getLocalPort();
  }

  String url(int number) {
    return "http://127.0.0.1:" + port() + path(number);
  }

  static String path(int number) {
    return "/p/" + number;
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        var client = socket.accept();
        client.setTcpNoDelay(true);
        Thread.ofVirtual().name("site client").start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      var in = client.getInputStream();
      var out = client.getOutputStream();
      var buffer = new byte[8 * 1024];
      var filled = 0;
      for (int read; (read = in.read(buffer, filled, buffer.length - filled)) > 0; ) {
        filled += read;
        if (!endsHead(buffer, filled)) continue;
        out.write(answer(new String(buffer, 0, filled, StandardCharsets.ISO_8859_1)));
        filled = 0;
      }
    } catch (IOException gone) {
      // The client closed its connection.
    }
  }

  private static boolean endsHead(byte[] buffer, int filled) {
    return filled >= 4
        && buffer[filled - 1] == '\n'
        && buffer[filled - 2] == '\r'
        && buffer[filled - 3] == '\n';
  }

  private byte[] answer(String head) {
    var path = head.substring(4, head.indexOf(' ', 4));
    if (path.equals("/robots.txt")) return answer(200, "text/plain", ROBOTS);
    if (!path.startsWith("/p/")) return answer(404, "text/plain", new byte[0]);
    return answer(200, "text/html; charset=utf-8", page(Integer.parseInt(path.substring(3))));
  }

  private static byte[] answer(int status, String type, byte[] body) {
    var head =
        bytes(
            "HTTP/1.1 %d OK\r\nContent-Type: %s\r\nContent-Length: ".formatted(status, type)
                + body.length
                + "\r\n\r\n");
    var whole = new byte[head.length + body.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
