package io.tidemill.http;

import io.tidemill.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// An answer: bytes, a stream of them, or a stream of events.
public sealed interface Response {
  int status();

  Map<String, String> headers();

  /// The same answer with one more header, which replaces one of that name.
  Response withHeader(String name, String value);

  /// Bytes in memory.
  @SuppressWarnings("ArrayRecordComponent") // written once, straight to the socket
  record Body(int status, String contentType, byte[] body, Map<String, String> headers)
      implements Response {
    public Body {
      headers = checked(headers);
    }

    @Override
    public Body withHeader(String name, String value) {
      return new Body(status, contentType, body, with(headers, name, value));
    }
  }

  /// Server-sent events, written while they happen.
  record Events(SseBody body, Map<String, String> headers) implements Response {
    public Events {
      headers = checked(headers);
    }

    @Override
    public int status() {
      return 200;
    }

    /// The same events; the stream ends at the first one after that time.
    public Events until(Instant end, InstantSource clock) {
      return new Events(out -> body.writeTo(out.until(end, clock)), headers);
    }

    @Override
    public Events withHeader(String name, String value) {
      return new Events(body, with(headers, name, value));
    }
  }

  /// Bytes that are written as they are produced; a header `Content-Length` must be exact.
  record Stream(int status, String contentType, StreamBody body, Map<String, String> headers)
      implements Response {
    public Stream {
      headers = checked(headers);
    }

    public Stream(String contentType, StreamBody body, Map<String, String> headers) {
      this(200, contentType, body, headers);
    }

    @Override
    public Stream withHeader(String name, String value) {
      return new Stream(status, contentType, body, with(headers, name, value));
    }
  }

  /// JSON of a tree, a map, a list or a record.
  static Body json(int status, Object tree) {
    return new Body(status, "application/json", Json.bytes(tree), Map.of());
  }

  /// JSON that is encoded already.
  static Body document(byte[] json) {
    return new Body(200, "application/json", json, Map.of());
  }

  static Body ok(Object tree) {
    return json(200, tree);
  }

  static Body accepted(Object tree) {
    return json(202, tree);
  }

  static Body noContent() {
    return noContent(204);
  }

  /// A status and headers alone.
  static Body noContent(int status) {
    return new Body(status, "", new byte[0], Map.of());
  }

  static Body text(int status, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Body(status, "text/plain; charset=utf-8", bytes, Map.of());
  }

  static Body problem(int status, String detail) {
    return problem(Problem.of(status, detail));
  }

  static Body problem(Problem problem) {
    return new Body(problem.status(), Problem.CONTENT_TYPE, problem.json(), Map.of());
  }

  static Events events(SseBody body) {
    return new Events(body, Map.of());
  }

  /// These events, or 204 when none will come: only 204 keeps a browser from reconnecting.
  static Response events(Optional<SseBody> body) {
    return body.<Response>map(Response::events).orElseGet(Response::noContent);
  }

  private static Map<String, String> with(Map<String, String> headers, String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.keySet().removeIf(name::equalsIgnoreCase);
    more.put(name, value);
    return more;
  }

  private static Map<String, String> checked(Map<String, String> headers) {
    headers.forEach((name, value) -> {
      if (!isPlain(name) || !isPlain(value)) {
        throw new IllegalArgumentException("a header has a control character");
      }
    });
    return Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c != 0x7f);
  }
}
