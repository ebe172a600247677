package io.tidemill.observe;

import java.util.Locale;

/// What a span spends its time on.
public enum SpanKind {
  HTTP,
  KAFKA,
  AMQP,
  REDIS,
  CRAWL,
  FETCH,
  INDEX,
  MAIL,
  STEP,
  TASK,
  JOB,
  S3,
  LLM,
  DB;

  private final String wire = name().toLowerCase(Locale.ROOT);

  /// As stored and exported.
  public String wire() {
    return wire;
  }
}
