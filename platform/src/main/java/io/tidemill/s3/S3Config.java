package io.tidemill.s3;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.net.URI;

/// How to reach the object store, read from keys `s3.*`.
@Section("s3")
public record S3Config(
    @Setting(value = "", doc = "S3 endpoint as http://host:port; empty = a local server.")
        String endpoint,
    @Setting(value = "tidemill", doc = "Access key, also the local server's.") String accessKey,
    @Setting(value = "tidemill-secret", doc = "Secret key, also the local server's.", secret = true)
        String secretKey) {
  public S3Config {
    if (!endpoint.isEmpty() && !isHttp(endpoint)) {
      throw new IllegalArgumentException(
          "s3.endpoint is '" + endpoint + "': expected http://host:port");
    }
    if (accessKey.isBlank() || secretKey.isBlank()) {
      throw new IllegalArgumentException(
          (accessKey.isBlank() ? "s3.access-key" : "s3.secret-key") + " is empty: expected a key");
    }
  }

  private static boolean isHttp(String url) {
    try {
      return url.matches("https?://.+") && URI.create(url).getHost() != null;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  /// The same with the address of a server that was started here.
  public S3Config withEndpoint(String address) {
    return new S3Config(address, accessKey, secretKey);
  }
}
