package io.tidemill.collector;

import io.tidemill.collector.BatchReader.Entry;
import io.tidemill.contract.collected.Collected;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The posts that are in the message itself.
final class InlinePosts implements BatchItems {
  private final Iterator<JsonNode> posts;

  InlinePosts(Collected.Inline inline) {
    posts = inline.posts().iterator();
  }

  @Override
  public @Nullable Entry next() {
    return posts.hasNext() ? new Entry.Good(posts.next()) : null;
  }
}
