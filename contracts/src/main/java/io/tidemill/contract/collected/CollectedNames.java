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

  /// What others are told with what became of a batch.
  public static final String RESULT_KEY = "analyze.result";

  /// The bucket that batches of crawled data lie in.
  public static final String BUCKET = "crawl-results";

  /// The platform of pages that our own crawler collects (C5.7).
  public static final String WEB = "web";

  /// A header of ours: the name of the project whose UUID the event has (C5.7).
  public static final String PROJECT_HEADER = "tidemill-project";

  /// What each form of message is called, as in the name of its schema (C5.5).
  public static final String EVENT = "collected";

  public static final String LEGACY = "collected-legacy";
  public static final String INLINE = "collected-inline";
  public static final String RESULT = "analyze-result";

  private CollectedNames() {}

  /// Where the crawler puts one of its batches, within the bucket (C5.7).
  public static String batch(String project, String job, int index) {
    return "%s/%s/%s/batch_%03d.json".formatted(WEB, project, job, index);
  }
}
