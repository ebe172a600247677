package io.tidemill.processor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemill.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A gateway that learns status by `PATCH /internal/…` only, with the rules of the known one: what
/// it does not know is 404, members that are null or empty are passed over, except the step's.
final class PatchedGateway implements AutoCloseable {
  private static final List<String> STEP = List.of("currentStep", "currentStepIndex");
  private static final List<String> OTHERS = List.of("status", "startedAt", "completedAt", "error");

  private final Map<String, ObjectNode> records = new ConcurrentHashMap<>();
  private final List<String> statuses = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private volatile int trouble;

  PatchedGateway() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/internal/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// Answers with this status only; 0 = as it should.
  void fail(int status) {
    trouble = status;
  }

  void add(String id) {
    records.put(id, Json.object().put("status", "pending"));
  }

  JsonNode show(String id) {
    return records.getOrDefault(id, Json.object());
  }

  /// Everything that was tried, as `id status`.
  List<String> statuses() {
    return List.copyOf(statuses);
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var id = path.substring(path.lastIndexOf('/') + 1);
    var body = Json.parse(exchange.getRequestBody().readAllBytes());
    statuses.add(id + " " + body.path("status").asString());
    exchange.sendResponseHeaders(trouble != 0 ? trouble : patch(id, body), -1);
    exchange.close();
  }

  private int patch(String id, JsonNode body) {
    var known =
        records.computeIfPresent(
            id,
            (_, record) -> {
              var next = record.deepCopy();
              for (var name : STEP) if (body.has(name)) next.set(name, body.get(name));
              for (var name : OTHERS) if (body.hasNonNull(name)) next.set(name, body.get(name));
              return next;
            });
    return known == null ? 404 : 200;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
