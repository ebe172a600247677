package io.tidemill.http.server;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import io.tidemill.http.Problem;

/// Problem documents for requests that never reach a route, such as those that are not HTTP.
final class ProblemAnswers implements DirectHandler {
  private ProblemAnswers() {}

  static DirectHandlers all() {
    var handlers = DirectHandlers.builder();
    for (var event : EventType.values()) handlers.addHandler(event, new ProblemAnswers());
    return handlers.build();
  }

  @Override
  public TransportResponse handle(
      TransportRequest request,
      EventType event,
      Status proposed,
      ServerResponseHeaders headers,
      String message) {
    // Failures of handlers do not come here: an error before the path is known is the client's.
    var unreadable = event == EventType.INTERNAL_ERROR && request.path().isEmpty();
    var status = unreadable || proposed.code() < 400 ? 400 : proposed.code();
    var response = TransportResponse.builder().status(Status.create(status)).headers(headers);
    ResponseWriter.SECURITY_HEADERS.forEach(
        (name, value) -> response.header(HeaderNames.create(name), value));
    return response
        .header(HeaderNames.CONTENT_TYPE, Problem.CONTENT_TYPE)
        .keepAlive(false)
        .entity(Problem.of(status, detail(status)).json())
        .build();
  }

  /// The parser's message is not shown: it may quote the request.
  private static String detail(int status) {
    return switch (status) {
      case 400 -> "this is not a valid HTTP request";
      case 413 -> "the body is too large";
      case 414 -> "the request line is too long";
      case 431 -> "the headers are too large";
      case 503 -> "too much is going on, try again later";
      case 505 -> "this server speaks HTTP/1.1";
      default -> status < 500 ? "the request was refused" : "something went wrong";
    };
  }
}
