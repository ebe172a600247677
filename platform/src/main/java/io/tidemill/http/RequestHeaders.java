package io.tidemill.http;

import java.util.Optional;
import java.util.regex.Pattern;

/// Headers that mean the same on every route, checked as they are read; a bad one gets 400.
public final class RequestHeaders {
  private static final Pattern EVENT_ID = Pattern.compile("\\d{1,19}-\\d{1,19}");

  private RequestHeaders() {}

  /// Refuses a header.
  public static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Wrong(String header, String expected) {
      super(header + " must " + expected);
    }
  }

  /// `Idempotency-Key`, by which a client may repeat a request (C3.4, F18).
  public static Optional<String> idempotencyKey(Request request) {
    var key = request.header("Idempotency-Key");
    if (key.isEmpty() || isPrintable(key.get())) return key;
    throw new Wrong("Idempotency-Key", "have 1 to 255 printable ASCII characters");
  }

  /// `X-Correlation-ID`, which is copied into events; empty unless it is printable.
  public static Optional<String> correlationId(Request request) {
    return request.header("X-Correlation-ID").filter(RequestHeaders::isPrintable);
  }

  private static boolean isPrintable(String text) {
    return !text.isEmpty()
        && text.length() <= 255
        && text.chars().allMatch(character -> character >= ' ' && character <= '~');
  }

  /// `Last-Event-ID`, after which an event stream resumes (C3.6); or the parameter `after`, for
  /// clients that can't set headers. A browser that reconnects sends both, the header is the newer.
  public static Optional<String> lastEventId(Request request) {
    var id = request.header("Last-Event-ID").filter(text -> !text.isBlank());
    return id.isPresent() ? Optional.of(eventId("Last-Event-ID", id.get())) : eventIdAfter(request);
  }

  /// The parameter `after` alone.
  public static Optional<String> eventIdAfter(Request request) {
    return request
        .query("after")
        .filter(text -> !text.isBlank())
        .map(text -> eventId("after", text));
  }

  private static String eventId(String name, String id) {
    if (EVENT_ID.matcher(id).matches()) return id;
    throw new Wrong(name, "be the id of an event, such as 1700000000000-0");
  }
}
