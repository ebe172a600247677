package io.tidemill.analytics;

import io.tidemill.json.Json;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// An item as clients, downloads and records have it.
public final class ItemJson {
  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private ItemJson() {}

  /// An item with its analysis.
  public static ObjectNode of(StoredItem stored) {
    var item = stored.item();
    var findings = item.findings();
    var tree =
        Json.object()
            .put("id", item.id())
            .put("platform", item.platform())
            .put("job", stored.jobId())
            .put("url", item.url())
            .put("title", item.title())
            .put("text", item.text())
            .put("publishedAt", text(item.publishedAt()))
            .put("collectedAt", MILLIS.format(stored.collectedAt()))
            .put("language", findings.language())
            .put("sentiment", rounded(findings.sentiment()))
            .put("mood", SentimentClass.of(findings.sentiment()).wire())
            .put("impact", findings.impact())
            .put("duplicateOf", stored.duplicateOf());
    var keywords = tree.putArray("keywords");
    for (var keyword : findings.keywords()) {
      keywords.addObject().put("keyword", keyword.phrase()).put("score", rounded(keyword.score()));
    }
    var author = item.author();
    tree.putObject("author")
        .put("id", author.id())
        .put("name", author.name())
        .put("followers", author.followers())
        .put("verified", author.verified());
    var reactions = item.reactions();
    tree.putObject("engagement")
        .put("views", reactions.views())
        .put("likes", reactions.likes())
        .put("comments", reactions.comments())
        .put("shares", reactions.shares())
        .put("saves", reactions.saves());
    return tree;
  }

  /// With milliseconds (G2).
  public static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : MILLIS.format(time);
  }

  /// Rounded to four decimals.
  public static @Nullable Double rounded(@Nullable Double number) {
    return number == null ? null : (Double) (Math.round(number * 10_000) / 10_000.0);
  }
}
