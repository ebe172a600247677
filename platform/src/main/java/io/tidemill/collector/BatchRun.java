package io.tidemill.collector;

import io.tidemill.analytics.BatchWriter;
import io.tidemill.analytics.ItemFailure;
import io.tidemill.collector.BatchReader.Entry;
import io.tidemill.contract.collected.CollectedCodec;
import io.tidemill.contract.collected.WebItemId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// One pass through a batch: what can be analysed is, and each item that can't is reported by
/// itself (C5.6).
final class BatchRun {
  private static final Logger log = LoggerFactory.getLogger(BatchRun.class);
  private static final int MOST_LOGGED = 20;
  private static final int LONGEST = 1_000;

  private final BatchAnnouncement batch;
  private final PostAnalyzer analysis;
  private int count;
  private int bad;
  private String firstFault = "";

  BatchRun(BatchAnnouncement batch, PostAnalyzer analysis) {
    this.batch = batch;
    this.analysis = analysis;
  }

  /// How many items there were, good or not.
  int count() {
    return count;
  }

  /// Says what is wrong with a batch that has nothing but bad items.
  ///
  /// @throws BatchException when nothing in it was understood
  void requireItems() throws BatchException {
    var isEmpty = count == 0 && !Integer.valueOf(0).equals(batch.contentCount());
    if (isEmpty) throw BatchException.permanent("the batch has no items");
    if (count > 0 && bad == count) {
      throw BatchException.permanent("no item of the batch can be read: " + firstFault);
    }
  }

  void add(Entry entry, BatchWriter writer) {
    var position = count++;
    switch (entry) {
      case Entry.Bad(var why) -> writer.fail(bad(position, why));
      case Entry.Good(var item) -> add(item, position, writer);
    }
  }

  private void add(JsonNode item, int position, BatchWriter writer) {
    if (FailureEntries.isOne(item)) {
      writer.fail(reported(item, position));
      return;
    }
    Post post;
    try {
      post = PostReader.read(item);
    } catch (IllegalArgumentException wrong) {
      writer.fail(bad(position, String.valueOf(wrong.getMessage())));
      return;
    }
    writer.add(analysis.item(post, project(post), batch.platform(), id(post, position), position));
  }

  private String project(Post post) {
    var isTheirs = batch.projectId() == null || batch.object() == null;
    return isTheirs && !post.projectId().isEmpty() ? post.projectId() : batch.project();
  }

  private String id(Post post, int position) {
    if (!post.id().isEmpty()) return WebItemId.current(post.id(), post.url());
    if (post.url().isEmpty()) return batch.key() + "-" + position;
    return post.url().length() <= CollectedCodec.LONGEST_NAME
        ? post.url()
        : BatchAnnouncement.hash(post.url());
  }

  private ItemFailure reported(JsonNode item, int position) {
    var meta = item.path("meta");
    var code = FailureEntries.code(item);
    return failure(
        position,
        meta.path("id").asString(""),
        meta.path("permalink").asString(""),
        code,
        meta.path("error_message").asString(""));
  }

  private ItemFailure bad(int position, String why) {
    if (bad == 0) firstFault = why;
    if (++bad <= MOST_LOGGED) log.warn("item {}: {}", position, why);
    else if (bad == MOST_LOGGED + 1) log.warn("more bad items follow: see the project's failures");
    return failure(position, "", "", FailureEntries.INVALID, why);
  }

  private ItemFailure failure(int position, String id, String url, String code, String why) {
    return new ItemFailure(
        batch.project(),
        batch.platform(),
        position,
        cut(id),
        cut(url),
        cut(code),
        FailureEntries.category(code),
        cut(why));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
  }
}
