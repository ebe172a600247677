package io.tidemill.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemill.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// A server that speaks OpenAI's protocol and says, piece by piece, what a test lined up.
final class FakeModel implements AutoCloseable {
  /// The rest of an answer comes when the test says so.
  static final String PAUSE = "(pause)";

  private final HttpServer server;
  private final Queue<List<String>> answers = new ConcurrentLinkedQueue<>();
  private final Semaphore further = new Semaphore(0);

  FakeModel() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/v1/chat/completions", this::answer);
    server.start();
  }

  /// What `llm.url` has to be.
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  /// Lines up the answer to the next question.
  void says(String... tokens) {
    answers.add(List.of(tokens));
  }

  /// Lets an answer that paused go on.
  void goOn() {
    further.release();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      var tokens = answers.poll();
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(tokens == null ? 400 : 200, 0);
      if (tokens != null) stream(tokens, exchange.getResponseBody());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void stream(List<String> tokens, OutputStream out)
      throws IOException, InterruptedException {
    for (var token : tokens) {
      if (token.equals(PAUSE)) further.acquire();
      else event(out, chunk(Json.text(Json.object().put("content", token)), "null"));
    }
    event(out, chunk("{}", "\"stop\""));
    event(
        out,
        "{\"model\":\"small\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":%d,\"total_tokens\":%d}}"
            .formatted(tokens.size(), tokens.size() + 7));
    event(out, "[DONE]");
  }

  private static String chunk(String delta, String finish) {
    return "{\"object\":\"chat.completion.chunk\",\"model\":\"small\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}"
        .formatted(delta, finish);
  }

  private static void event(OutputStream out, String data) throws IOException {
    out.write(("data: " + data + "\n\n").getBytes(UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
