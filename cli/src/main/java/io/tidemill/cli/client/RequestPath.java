package io.tidemill.cli.client;

import org.jspecify.annotations.Nullable;

/// A path with its query, built piece by piece.
public final class RequestPath {
  private final StringBuilder text;
  private char before = '?';

  public RequestPath(String path) {
    text = new StringBuilder(path);
  }

  /// Adds a parameter; null adds none.
  public RequestPath with(String name, @Nullable Object value) {
    if (value == null) return this;
    text.append(before).append(name).append('=').append(GatewayClient.segment(value.toString()));
    before = '&';
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
