package io.tidemill.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A web site on loopback that does exactly what a test says, good or bad, and remembers who asked
/// for what and when.
///
/// Paths are matched with their query first, then without it; one that ends in `*` is a prefix.
/// What nobody set up is a 404, `/robots.txt` among it.
public final class TestSite implements AutoCloseable {
  private static final int BACKLOG = 1024;

  private final ServerSocket server;
  private final Map<String, Handler> exact = new ConcurrentHashMap<>();
  private final Map<String, Handler> prefixes = new ConcurrentHashMap<>();
  private final Queue<Access> log = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connects = new AtomicInteger();

  private TestSite(ServerSocket server) {
    this.server = server;
  }

  /// Does whatever a site does with one request.
  public interface Handler {
    void handle(Access request, Reply reply) throws IOException;
  }

  /// One request.
  ///
  /// @param path with its query
  /// @param headers by name, which is looked up without regard to case
  public record Access(String method, String path, Map<String, String> headers, long nanoTime) {
    public @Nullable String header(String name) {
      return headers.get(name);
    }
  }

  /// A site without pages, on a free port of 127.0.0.1.
  public static TestSite start() {
    try {
      var address = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      return start(new ServerSocket(0, BACKLOG, address));
    } catch (IOException unlucky) {
      throw new UncheckedIOException(unlucky);
    }
  }

  /// A site behind that socket, which may speak TLS.
  public static TestSite start(ServerSocket server) {
    var site = new TestSite(server);
    Thread.ofVirtual().name("test-site").start(site::accept);
    return site;
  }

  /// A page of HTML.
  public TestSite page(String path, String html) {
    return answer(
        path,
        200,
        Map.of("Content-Type", "text/html; charset=utf-8"),
        html.getBytes(StandardCharsets.UTF_8));
  }

  /// A `robots.txt`.
  public TestSite robots(String text) {
    return answer(
        "/robots.txt",
        200,
        Map.of("Content-Type", "text/plain"),
        text.getBytes(StandardCharsets.UTF_8));
  }

  /// A redirect with status 302.
  public TestSite redirect(String path, String location) {
    return answer(path, 302, Map.of("Location", location), new byte[0]);
  }

  /// The same answer to everybody.
  public TestSite answer(String path, int status, Map<String, String> headers, byte[] body) {
    var bytes = bytes(status, headers, body);
    return on(path, (_, reply) -> reply.raw(bytes));
  }

  /// Whatever the handler does.
  public TestSite on(String path, Handler handler) {
    if (path.endsWith("*")) prefixes.put(path.substring(0, path.length() - 1), handler);
    else exact.put(path, handler);
    return this;
  }

  /// Lets a handler hold its answer back; a test that forgets it does not hang.
  public static void await(CountDownLatch go) {
    try {
      var _ = go.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /// The URL of a path.
  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  public int port() {
    return server.getLocalPort();
  }

  /// All requests so far, in the order in which they came.
  public List<Access> log() {
    return List.copyOf(log);
  }

  /// The requests for one path so far.
  public List<Access> log(String path) {
    return log.stream().filter(access -> access.path().equals(path)).toList();
  }

  /// Connections accepted so far.
  public int connects() {
    return connects.get();
  }

  /// Connections open now.
  public int open() {
    return open.size();
  }

  /// Closes the connections that are open, as a host does that had no request for a while.
  public void hangUp() {
    open.forEach(TestSite::close);
  }

  private void accept() {
    try {
      while (true) {
        var socket = server.accept();
        connects.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException _) {
      // The site was closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      var in = new BufferedInputStream(socket.getInputStream());
      var reply = new Reply(socket);
      while (!reply.isClosed) {
        var request = read(in);
        if (request == null) return;
        log.add(request);
        handler(request.path()).handle(request, reply);
        reply.out.flush();
      }
    } catch (IOException _) {
      // The other side went away, which is its right.
    } finally {
      open.remove(socket);
    }
  }

  private static @Nullable Access read(InputStream in) throws IOException {
    var first = line(in);
    if (first == null || first.isEmpty()) return null;
    var words = first.split(" ", 3);
    if (words.length < 3) return null;
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    for (var line = line(in); line != null && !line.isEmpty(); line = line(in)) {
      var colon = line.indexOf(':');
      if (colon < 0) return null;
      headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return new Access(words[0], words[1], Collections.unmodifiableMap(headers), System.nanoTime());
  }

  private static @Nullable String line(InputStream in) throws IOException {
    var line = new StringBuilder(64);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) return null;
      if (c != '\r') line.append((char) c);
    }
    return line.toString();
  }

  private Handler handler(String path) {
    var found = exact.get(path);
    if (found == null && path.contains("?")) found = exact.get(path.replaceAll("\\?.*", ""));
    if (found != null) return found;
    return prefixes.entrySet().stream()
        .filter(entry -> path.startsWith(entry.getKey()))
        .max(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .orElse((_, reply) -> reply.send(404, Map.of(), "not here"));
  }

  private static byte[] bytes(int status, Map<String, String> headers, byte[] body) {
    var fields = new LinkedHashMap<>(headers);
    if (status >= 200 && status != 204 && status != 304) {
      fields.putIfAbsent("Content-Length", String.valueOf(body.length));
    }
    var whole = new ByteArrayOutputStream(body.length + 256);
    whole.writeBytes(head(status, fields).getBytes(StandardCharsets.ISO_8859_1));
    whole.writeBytes(body);
    return whole.toByteArray();
  }

  private static String head(int status, Map<String, String> headers) {
    var head = new StringBuilder("HTTP/1.1 ").append(status).append(" Status\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    return head.append("\r\n").toString();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed all the same.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    hangUp();
  }

  /// Where a handler writes.
  public static final class Reply {
    private final Socket socket;
    private final OutputStream out;
    private boolean isClosed;

    private Reply(Socket socket) throws IOException {
      this.socket = socket;
      this.out = socket.getOutputStream();
    }

    /// A whole answer, with its length.
    public void send(int status, Map<String, String> headers, byte[] body) throws IOException {
      raw(bytes(status, headers, body));
    }

    public void send(int status, Map<String, String> headers, String body) throws IOException {
      send(status, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    /// The head of an answer, to which the handler writes its own body.
    public void head(int status, Map<String, String> headers) throws IOException {
      raw(TestSite.head(status, headers));
    }

    /// One chunk of a chunked body; an empty one ends it.
    public void chunk(byte[] bytes) throws IOException {
      raw(Integer.toHexString(bytes.length) + "\r\n");
      raw(bytes);
      raw("\r\n");
    }

    /// Any bytes.
    public void raw(byte[] bytes) throws IOException {
      out.write(bytes);
    }

    /// Any text.
    public void raw(String text) throws IOException {
      raw(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Closes the connection after what was written.
    public void close() throws IOException {
      isClosed = true;
      socket.close();
    }
  }
}
