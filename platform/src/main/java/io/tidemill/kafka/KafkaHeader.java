package io.tidemill.kafka;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One header of a record; a name may occur more than once.
///
/// @param value null when the writer sent none
@SuppressWarnings("ArrayRecordComponent") // compared nowhere: bytes pass through
public record KafkaHeader(String name, byte @Nullable [] value) {
  /// A header with text in it.
  public static KafkaHeader of(String name, String text) {
    return new KafkaHeader(name, text.getBytes(StandardCharsets.UTF_8));
  }
}
