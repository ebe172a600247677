package io.tidemill.kafka;

/// Where a group begins in a topic that it has never read.
public enum StartAt {
  /// With the oldest record there is.
  EARLIEST,

  /// With the first record after the group was made known (C2.5). Only then: partitions that are
  /// added later are read from their beginning, so that no record is skipped (F01).
  LATEST
}
