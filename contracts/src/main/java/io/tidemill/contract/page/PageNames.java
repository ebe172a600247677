package io.tidemill.contract.page;

/// Every name of contract C4, spelled once.
public final class PageNames {
  /// Pages on their way to the index (C4.1).
  public static final String QUEUE = "crawler_queue";

  /// Pages that left the web, or do not want to be found: our own addition.
  public static final String GONE = "crawler_queue.gone";

  /// Messages of either queue that can never be stored (C4.6).
  public static final String DEAD = "crawler_queue.dead";

  /// The media type of every body.
  public static final String CONTENT_TYPE = "application/json";

  /// What a message of each queue is called, as in the name of its schema.
  public static final String PAGE = "page";

  public static final String PAGE_GONE = "page-gone";

  private PageNames() {}
}
