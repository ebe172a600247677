package io.tidemill.collector;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// What collectors say of items that they could not get.
final class FailureEntries {
  /// Of an item that we could not understand ourselves.
  static final String INVALID = "INVALID_ITEM";

  private static final String GENERIC = "generic";
  private static final Map<String, String> CATEGORIES =
      Map.ofEntries(
          Map.entry("RATE_LIMITED", "rate_limiting"),
          Map.entry("AUTH_FAILED", "rate_limiting"),
          Map.entry("ACCESS_DENIED", "rate_limiting"),
          Map.entry("CONTENT_REMOVED", "content"),
          Map.entry("CONTENT_NOT_FOUND", "content"),
          Map.entry("CONTENT_UNAVAILABLE", "content"),
          Map.entry("NETWORK_ERROR", "network"),
          Map.entry("TIMEOUT", "network"),
          Map.entry("CONNECTION_REFUSED", "network"),
          Map.entry("DNS_ERROR", "network"),
          Map.entry("PARSE_ERROR", "parsing"),
          Map.entry("INVALID_URL", "parsing"),
          Map.entry("INVALID_RESPONSE", "parsing"),
          Map.entry(INVALID, "parsing"),
          Map.entry("MEDIA_DOWNLOAD_FAILED", "media"),
          Map.entry("MEDIA_TOO_LARGE", "media"),
          Map.entry("MEDIA_FORMAT_ERROR", "media"),
          Map.entry("STORAGE_ERROR", "storage"),
          Map.entry("UPLOAD_FAILED", "storage"),
          Map.entry("DATABASE_ERROR", "storage"));

  private FailureEntries() {}

  /// Whether an item says of itself that it could not be had.
  static boolean isOne(JsonNode item) {
    return item.path("meta").path("fetch_status").asString("").equalsIgnoreCase("error");
  }

  static String code(JsonNode item) {
    var code = item.path("meta").path("error_code").asString("");
    return code.isBlank() ? "UNKNOWN_ERROR" : code;
  }

  static String category(String code) {
    return CATEGORIES.getOrDefault(code, GENERIC);
  }
}
