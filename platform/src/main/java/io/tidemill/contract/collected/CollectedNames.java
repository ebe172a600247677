package io.tidemill.contract.collected;

/// Every name of contract C5, spelled once.
public final class CollectedNames {
  /// The topic exchange (C5.1).
  public static final String EXCHANGE = "smap.events";

  /// The queue of the analytics consumer (C5.1).
  public static final String QUEUE = "analytics.data.collected";

  /// What the queue is bound with (C5.1).
  public static final String ROUTING_KEY = "data.collected";

  /// Events that can never be processed (C5.2).
  public static final String DEAD = "analytics.data.collected.dead";

  private CollectedNames() {}
}
