package io.tidemill.contract.page;

/// Every name of contract C4, spelled once.
public final class PageNames {
  /// Pages on their way to the index (C4.1).
  public static final String QUEUE = "crawler_queue";

  /// Pages that can never be stored (C4.6).
  public static final String DEAD = "crawler_queue.dead";

  private PageNames() {}
}
