package io.tidemill.http;

import java.util.Optional;
import java.util.regex.Pattern;

/// Headers that mean the same on every route, each checked when it is asked for; a client gets 400
/// for one that is not what it must be.
public final class RequestHeaders {
  private static final Pattern EVENT_ID = Pattern.compile("\\d{1,19}-\\d{1,19}");

  private RequestHeaders() {}

  /// A header that is not what it must be.
  public static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String detail;

    public Wrong(String header, String expected) {
      super(header + " must " + expected);
      this.detail = header + " must " + expected;
    }

    public String detail() {
      return detail;
    }
  }

  /// `Idempotency-Key`: under which a request may be repeated (C3.4, F18).
  public static Optional<String> idempotencyKey(Request request) {
    var key = request.header("Idempotency-Key");
    if (key.isEmpty() || isPrintable(key.get())) return key;
    throw new Wrong("Idempotency-Key", "have 1 to 255 printable ASCII characters");
  }

  /// `X-Correlation-ID`, which goes into events as it is; empty when it can't.
  public static Optional<String> correlationId(Request request) {
    return request.header("X-Correlation-ID").filter(RequestHeaders::isPrintable);
  }

  private static boolean isPrintable(String text) {
    return !text.isEmpty()
        && text.length() <= 255
        && text.chars().allMatch(character -> character >= ' ' && character <= '~');
  }

  /// `Last-Event-ID`: after which a stream of events goes on (C3.6).
  public static Optional<String> lastEventId(Request request) {
    var id = request.header("Last-Event-ID").filter(text -> !text.isBlank());
    if (id.isEmpty() || EVENT_ID.matcher(id.get()).matches()) return id;
    throw new Wrong("Last-Event-ID", "be the id of an event, such as 1700000000000-0");
  }
}
