package io.tidemill.analytics;

import io.tidemill.analytics.CollectedItem.Keyword;
import io.tidemill.sql.RowWriter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Items as rows of their table.
final class ItemRows {
  /// In the order of the table.
  static final List<String> COLUMNS =
      List.of(
          """
          project_id platform item_id batch_key job_id position url title body author_id author_name
          followers verified views likes comments shares saves language sentiment keywords
          keyword_scores impact published_at collected_at duplicate_of fingerprint
          band0 band1 band2 band3\
          """
              .split("\\s+"));

  static final List<String> KEY = List.of("project_id", "platform", "item_id");

  private ItemRows() {}

  static void write(
      RowWriter row, CollectedBatch batch, CollectedItem item, @Nullable String duplicateOf)
      throws SQLException {
    var reactions = item.reactions();
    var findings = item.findings();
    var bands = FingerprintBands.of(findings.fingerprint());
    row.add(
        item.projectId(),
        item.platform(),
        item.id(),
        batch.key(),
        batch.jobId(),
        item.position(),
        item.url(),
        item.title(),
        item.text(),
        item.author().id(),
        item.author().name(),
        item.author().followers(),
        item.author().verified(),
        reactions.views(),
        reactions.likes(),
        reactions.comments(),
        reactions.shares(),
        reactions.saves(),
        findings.language(),
        findings.sentiment(),
        lines(findings.keywords(), Keyword::phrase),
        lines(findings.keywords(), keyword -> String.valueOf(keyword.score())),
        findings.impact(),
        item.publishedAt(),
        batch.collectedAt(),
        duplicateOf,
        findings.fingerprint(),
        bands[0],
        bands[1],
        bands[2],
        bands[3]);
  }

  private static String lines(List<Keyword> keywords, Function<Keyword, String> part) {
    return keywords.stream().map(part).collect(Collectors.joining("\n"));
  }

  /// An item from a row of all columns.
  static StoredItem read(ResultSet row) throws SQLException {
    var sentiment = row.getDouble("sentiment");
    var hasSentiment = !row.wasNull();
    var item =
        new CollectedItem(
            row.getString("project_id"),
            row.getString("platform"),
            row.getString("item_id"),
            row.getInt("position"),
            row.getString("url"),
            row.getString("title"),
            row.getString("body"),
            new CollectedItem.Author(
                row.getString("author_id"),
                row.getString("author_name"),
                row.getLong("followers"),
                row.getBoolean("verified")),
            new CollectedItem.Reactions(
                row.getLong("views"),
                row.getLong("likes"),
                row.getLong("comments"),
                row.getLong("shares"),
                row.getLong("saves")),
            new CollectedItem.Findings(
                row.getString("language"),
                hasSentiment ? (Double) sentiment : null,
                keywords(row.getString("keywords"), row.getString("keyword_scores")),
                row.getDouble("impact"),
                row.getLong("fingerprint")),
            time(row, "published_at"));
    return new StoredItem(
        item,
        row.getString("job_id"),
        row.getString("duplicate_of"),
        Objects.requireNonNull(time(row, "collected_at")));
  }

  private static List<Keyword> keywords(String phrases, String scores) {
    if (phrases.isEmpty()) return List.of();
    var each = phrases.split("\n", -1);
    var score = scores.split("\n", -1);
    var keywords = new ArrayList<Keyword>();
    for (var i = 0; i < each.length; i++) {
      keywords.add(new Keyword(each[i], Double.parseDouble(score[i])));
    }
    return keywords;
  }

  static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    var time = row.getObject(column, LocalDateTime.class);
    return time == null ? null : time.toInstant(ZoneOffset.UTC);
  }
}
