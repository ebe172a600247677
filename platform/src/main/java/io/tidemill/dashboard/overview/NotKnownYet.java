package io.tidemill.dashboard.overview;

/// Thrown by who is asked how something stands and does not know yet: that is no trouble.
public final class NotKnownYet extends Exception {
  private static final long serialVersionUID = 1;
}
