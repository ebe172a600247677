package io.tidemill.fetch;

import io.tidemill.content.url.WebUrl;
import java.util.Map;

/// Something to send to one URL.
///
/// @param headers fields beside those that every request has; what can't be a field is left out
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PostRequest(
    WebUrl url, String contentType, byte[] body, Map<String, String> headers) {
  public PostRequest {
    headers = Map.copyOf(headers);
  }

  /// Whether a header field can carry it and keep to its line.
  public static boolean isHeaderValue(String value) {
    return HeaderText.isVisible(value);
  }
}
