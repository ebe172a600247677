package io.tidemill.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.config.Settings;
import io.tidemill.json.Json;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.LlmConfig;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/// A server that speaks OpenAI's protocol over bare sockets, as well or as badly as a test wants:
/// each request is answered by the next script.
public final class FakeLlm implements AutoCloseable {
  /// What becomes of one request; the connection is closed behind it.
  public interface Script {
    void play(Call call) throws Exception;
  }

  /// @param headers by lower-case name
  public record Seen(String path, Map<String, String> headers, String body) {
    public JsonNode json() {
      return Json.parse(body);
    }
  }

  private final ServerSocket listener;
  private final Queue<Script> scripts = new ConcurrentLinkedQueue<>();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  public FakeLlm() {
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
    Thread.ofVirtual().start(this::acceptAll);
  }

  /// What `llm.url` has to be.
  public String url() {
    return "http://127.0.0.1:" + listener.getLocalPort() + "/v1";
  }

  /// A model behind this server, quick to try again.
  ///
  /// @param overrides as `key=value`
  public LanguageModel model(String... overrides) {
    return new LanguageModel(config(overrides), InstantSource.system(), new SimpleMeterRegistry());
  }

  public LlmConfig config(String... overrides) {
    var values =
        new HashMap<>(
            Map.of(
                "llm.url", url(),
                "llm.model", "small",
                "llm.key", "sk-secret",
                "llm.retry-pause", "1ms",
                "llm.retries", "2"));
    for (var override : overrides) {
      var pair = override.split("=", 2);
      values.put(pair[0], pair[1]);
    }
    return Settings.load(null, Map.of(), values, List.of(LlmConfig.class)).section(LlmConfig.class);
  }

  /// Lines up what happens to the next requests.
  public FakeLlm then(Script... more) {
    scripts.addAll(List.of(more));
    return this;
  }

  /// What was asked, in order.
  public List<Seen> seen() {
    return seen;
  }

  /// Forgets what was lined up and seen.
  public void reset() {
    scripts.clear();
    seen.clear();
  }

  private void acceptAll() {
    try {
      while (true) {
        var socket = listener.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      var in = new BufferedInputStream(socket.getInputStream());
      seen.add(request(in));
      var script = scripts.poll();
      if (script == null) script = call -> call.answer(500, "{\"error\":\"no script is left\"}");
      script.play(new Call(socket, in, socket.getOutputStream()));
    } catch (Exception broken) {
      // The other side may leave whenever it likes.
    } finally {
      open.remove(socket);
    }
  }

  private static Seen request(InputStream in) throws IOException {
    var first = line(in);
    var path = first.substring(first.indexOf(' ') + 1, first.lastIndexOf(' '));
    var headers = new TreeMap<String, String>();
    for (var line = line(in); !line.isEmpty(); line = line(in)) {
      var pair = line.split(": ?", 2);
      headers.put(pair[0].toLowerCase(Locale.ROOT), pair[1]);
    }
    var length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Seen(path, headers, new String(in.readNBytes(length), UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) throw new IOException("the request broke off");
      if (b != '\r') line.append((char) b);
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (var socket : open) socket.close();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  // Scripts

  /// Streams these tokens, ends properly and counts.
  public static Script tokens(String... tokens) {
    return call -> {
      call.head("text/event-stream");
      for (var token : tokens) call.token(token);
      call.finish("stop");
    };
  }

  /// Any answer.
  public static Script answer(int status, String body, String... headers) {
    return call -> call.answer(status, body, headers);
  }

  /// The events of such a stream.
  public static List<String> events(String finishReason, String... tokens) {
    var events = new ArrayList<String>();
    for (var token : tokens) events.add(delta(token));
    events.addAll(ending(finishReason, tokens.length));
    return events;
  }

  private static List<String> ending(String finishReason, int tokens) {
    return List.of(
        chunk("[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + finishReason + "\"}]"),
        "{\"model\":\"fake-1\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,"
            + "\"completion_tokens\":%d,\"total_tokens\":%d}}".formatted(tokens, tokens + 7),
        "[DONE]");
  }

  private static String delta(String token) {
    var content = Json.text(Json.object().put("content", token));
    return chunk("[{\"index\":0,\"delta\":" + content + ",\"finish_reason\":null}]");
  }

  private static String chunk(String choices) {
    return "{\"object\":\"chat.completion.chunk\",\"model\":\"fake-1\",\"choices\":"
        + choices
        + "}";
  }

  /// One request that is being answered.
  public static final class Call {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private int sent;

    private Call(Socket socket, InputStream in, OutputStream out) {
      this.socket = socket;
      this.in = in;
      this.out = out;
    }

    /// Bytes as they are.
    public Call raw(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
      return this;
    }

    public Call raw(String text) throws IOException {
      return raw(text.getBytes(UTF_8));
    }

    /// Status 200 and a body that comes in chunks.
    public Call head(String contentType) throws IOException {
      return raw(
          "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
              .formatted(contentType));
    }

    public Call piece(byte[] bytes) throws IOException {
      raw(Integer.toHexString(bytes.length) + "\r\n");
      return raw(bytes).raw("\r\n");
    }

    public Call event(String data) throws IOException {
      return piece(("data: " + data + "\n\n").getBytes(UTF_8));
    }

    public Call token(String token) throws IOException {
      sent++;
      return event(delta(token));
    }

    /// The last events, and the end of the body.
    public void finish(String reason) throws IOException {
      for (var event : ending(reason, sent)) event(event);
      end();
    }

    public void end() throws IOException {
      raw("0\r\n\r\n");
    }

    /// A whole answer of another kind.
    public void answer(int status, String body, String... headers) throws IOException {
      var bytes = body.getBytes(UTF_8);
      var head = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\nConnection: close\r\n");
      for (var header : headers) head.append(header).append("\r\n");
      raw(head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n").toString());
      raw(bytes);
    }

    /// Waits until the other side has hung up; a test's limit is its own.
    public void awaitGone() throws IOException {
      try {
        in.transferTo(OutputStream.nullOutputStream());
      } catch (IOException reset) {
        // That is gone, too.
      }
    }

    /// Breaks the connection off without an end.
    public void cut() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }
}
