package io.tidemill.processor;

/// Why work under way is to stop.
enum StopReason {
  /// Somebody canceled it.
  CANCELED,
  /// Somebody else holds it now, or may: nothing more may be written.
  LOST,
  /// It took too long.
  LATE,
  /// This process ends; another one goes on with it.
  LEAVING
}
