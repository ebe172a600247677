package io.tidemill.http.server;

import io.helidon.webserver.http.ServerRequest;
import io.tidemill.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/// Reads the body of a request up to a limit.
sealed interface RequestBody {
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Read(byte[] bytes) implements RequestBody {}

  record Refused(Response response) implements RequestBody {}

  /// Refuses by the headers where they suffice, without reading the body.
  static RequestBody of(ServerRequest request, Optional<String> contentType, long limit)
      throws IOException {
    if (!request.content().hasEntity()) return new Read(new byte[0]);
    var declared = request.headers().contentLength();
    if (declared.isPresent() && declared.getAsLong() > limit) return tooLarge(limit);
    if (contentType.isPresent() && !isJson(contentType.get())) {
      return new Refused(Response.problem(415, "a body must be application/json"));
    }
    return read(request, limit);
  }

  private static RequestBody read(ServerRequest request, long limit) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var in = request.content().inputStream();
    var buffer = new byte[8192];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      if (bytes.size() + (long) n > limit) return tooLarge(limit);
      bytes.write(buffer, 0, n);
    }
    return new Read(bytes.toByteArray());
  }

  private static RequestBody tooLarge(long limit) {
    return new Refused(Response.problem(413, "the body is larger than " + limit + " bytes"));
  }

  private static boolean isJson(String contentType) {
    var semicolon = contentType.indexOf(';');
    var type = (semicolon < 0 ? contentType : contentType.substring(0, semicolon)).strip();
    var lower = type.toLowerCase(Locale.ROOT);
    // `curl -d` sends the type of forms by default; forms of web pages are refused by their Origin.
    return lower.equals("application/json")
        || lower.equals("application/x-www-form-urlencoded")
        || (lower.startsWith("application/") && lower.endsWith("+json"));
  }
}
