package io.tidemill.observe;

import io.opentelemetry.api.common.AttributeKey;
import java.util.List;

/// The attributes of our spans; notes are named `tidemill.` and their key.
public final class SpanAttributes {
  public static final String PREFIX = "tidemill.";
  public static final AttributeKey<String> KIND = AttributeKey.stringKey(PREFIX + "kind");
  public static final AttributeKey<String> ROLE = AttributeKey.stringKey(PREFIX + "role");
  public static final AttributeKey<List<String>> OBJECTS =
      AttributeKey.stringArrayKey(PREFIX + "objects");

  private SpanAttributes() {}
}
