package io.tidemill.s3;

import java.time.Instant;
import java.util.Map;

/// The metadata of an object.
///
/// @param etag changes when the object does
/// @param contentType empty in listings
/// @param metadata what the writer added, names in lower case; empty in listings
public record ObjectInfo(
    String key,
    long size,
    Instant modifiedAt,
    String etag,
    String contentType,
    Map<String, String> metadata) {
  public ObjectInfo {
    metadata = Map.copyOf(metadata);
  }
}
