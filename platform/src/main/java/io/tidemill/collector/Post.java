package io.tidemill.collector;

import io.tidemill.analytics.CollectedItem.Author;
import io.tidemill.analytics.CollectedItem.Reactions;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An item as whoever collected it wrote it, in one layout whatever theirs was.
///
/// @param projectId empty when it does not say
/// @param platform in lower case; empty when it does not say
/// @param spoken what is said in a film
/// @param language that it is said to be in; null when nobody said
record Post(
    String id,
    String projectId,
    String platform,
    String url,
    String title,
    String text,
    String spoken,
    List<String> tags,
    @Nullable String language,
    Author author,
    Reactions reactions,
    @Nullable Instant publishedAt) {
  Post {
    tags = List.copyOf(tags);
  }
}
