package io.tidemill.s3;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// How to reach the object store, read from keys `s3.*`.
@Section("s3")
public record S3Config(
    @Setting(value = "", doc = "S3 endpoint as http://host:port; empty = a local server.")
        String endpoint,
    @Setting(value = "tidemill", doc = "Access key, also the local server's.") String accessKey,
    @Setting(value = "tidemill-secret", doc = "Secret key, also the local server's.", secret = true)
        String secretKey) {
  /// The same with the address of a server that was started here.
  public S3Config withEndpoint(String address) {
    return new S3Config(address, accessKey, secretKey);
  }
}
