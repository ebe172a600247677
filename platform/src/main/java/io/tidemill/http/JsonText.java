package io.tidemill.http;

import tools.jackson.databind.json.JsonMapper;

/// Writes answers as JSON.
final class JsonText {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private JsonText() {}

  static byte[] bytes(Object tree) {
    return MAPPER.writeValueAsBytes(tree);
  }
}
