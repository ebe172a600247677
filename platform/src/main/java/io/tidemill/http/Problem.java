package io.tidemill.http;

import io.tidemill.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A problem document of RFC 9457.
///
/// @param extensions further members, such as `errorId`
public record Problem(int status, String title, String detail, Map<String, Object> extensions) {
  public static final String CONTENT_TYPE = "application/problem+json";

  public Problem {
    if (status < 400 || status > 599) throw new IllegalArgumentException("status is " + status);
    extensions = Collections.unmodifiableMap(new LinkedHashMap<>(extensions));
  }

  public static Problem of(int status, String detail) {
    return new Problem(status, title(status), detail, Map.of());
  }

  /// The same problem with one more member.
  public Problem with(String name, Object value) {
    var more = new LinkedHashMap<>(extensions);
    more.put(name, value);
    return new Problem(status, title, detail, more);
  }

  public byte[] json() {
    var members = new LinkedHashMap<String, Object>();
    members.put("type", "about:blank");
    members.put("title", title);
    members.put("status", status);
    members.put("detail", detail);
    extensions.forEach(members::putIfAbsent);
    return Json.bytes(members);
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 408 -> "Request Timeout";
      case 409 -> "Conflict";
      case 410 -> "Gone";
      case 412 -> "Precondition Failed";
      case 413 -> "Content Too Large";
      case 414 -> "URI Too Long";
      case 415 -> "Unsupported Media Type";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 501 -> "Not Implemented";
      case 502 -> "Bad Gateway";
      case 503 -> "Service Unavailable";
      case 504 -> "Gateway Timeout";
      case 505 -> "HTTP Version Not Supported";
      default -> status < 500 ? "Client Error" : "Server Error";
    };
  }
}
