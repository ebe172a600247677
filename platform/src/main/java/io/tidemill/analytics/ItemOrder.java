package io.tidemill.analytics;

import java.util.Locale;

/// The order of items; equal ones are ordered by platform and id.
public enum ItemOrder {
  IMPACT("impact"),
  NEWEST(ItemFilter.TIME),
  VIEWS("views"),
  LIKES("likes");

  private final String expression;

  ItemOrder(String expression) {
    this.expression = expression;
  }

  /// The largest comes first.
  String expression() {
    return expression;
  }

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
