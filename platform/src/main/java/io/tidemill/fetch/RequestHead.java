package io.tidemill.fetch;

import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.connection.FetchException;
import io.tidemill.fetch.connection.FetchFailure;
import java.nio.charset.StandardCharsets;

/// The text of a request: no cookies, no credentials, nothing that says more than it must.
final class RequestHead {
  private static final int MOST_PORT = 65_535;

  private final String common;

  RequestHead(String agent) {
    // Exactly what the decoder knows (F48).
    common = "User-Agent: " + agent + "\r\nAccept-Encoding: gzip, br, zstd\r\n";
  }

  /// @param isConditional whether the versions that the request knows are of this URL
  String of(WebUrl url, FetchRequest request, boolean isConditional) throws FetchException {
    var head = begin("GET ", url);
    field(head, "Accept", request.accept());
    if (isConditional && request.etag() != null) field(head, "If-None-Match", request.etag());
    if (isConditional && request.lastModified() != null) {
      field(head, "If-Modified-Since", request.lastModified());
    }
    return head.append("\r\n").toString();
  }

  /// A whole POST request: its body, byte for byte, stands behind its head.
  String of(PostRequest request) throws FetchException {
    var head = begin("POST ", request.url());
    field(head, "Accept", "*/*");
    field(head, "Content-Type", request.contentType());
    request.headers().forEach((name, value) -> field(head, name, value));
    head.append("Content-Length: ").append(request.body().length).append("\r\n\r\n");
    return head.append(new String(request.body(), StandardCharsets.ISO_8859_1)).toString();
  }

  private StringBuilder begin(String method, WebUrl url) throws FetchException {
    var target = url.pathAndQuery();
    check(url, target);
    var head = new StringBuilder(256);
    head.append(method).append(target).append(" HTTP/1.1\r\nHost: ").append(url.host());
    if (url.port() >= 0) head.append(':').append(url.port());
    return head.append("\r\n").append(common);
  }

  private static void check(WebUrl url, String target) throws FetchException {
    var isGood =
        (url.scheme().equals("http") || url.scheme().equals("https"))
            && url.connectPort() >= 1
            && url.connectPort() <= MOST_PORT
            && HeaderText.isWord(url.host())
            && HeaderText.isWord(target)
            && target.startsWith("/");
    if (!isGood) throw new FetchException(FetchFailure.BAD_URL, "the URL can't be asked for");
  }

  // Versions come from hosts: one that would break out of its line is left out.
  private static void field(StringBuilder head, String name, String value) {
    if (HeaderText.isVisible(value)) head.append(name).append(": ").append(value).append("\r\n");
  }
}
