package io.tidemill.analytics;

import io.tidemill.sql.RowWriter;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which items of a project are meant; null means that it does not matter.
///
/// @param text to be found in title or text, in any case
/// @param keyword exactly
/// @param from the first moment that counts
/// @param to the first that does not count any more
/// @param duplicates whether only copies, or only others
public record ItemFilter(
    @Nullable String platform,
    @Nullable String language,
    @Nullable SentimentClass mood,
    @Nullable String job,
    @Nullable String text,
    @Nullable String keyword,
    @Nullable Double leastImpact,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Boolean duplicates) {
  /// Every item.
  public static final ItemFilter ALL =
      new ItemFilter(null, null, null, null, null, null, null, null, null, null);

  /// When an item counts: published, or collected if that is all we know.
  static final String TIME = "coalesce(published_at, collected_at)";

  /// A condition with its values, in the order of their question marks.
  record Condition(String sql, List<Object> values) {
    void bind(PreparedStatement statement) throws SQLException {
      for (var i = 0; i < values.size(); i++) statement.setObject(i + 1, values.get(i));
    }
  }

  Condition condition(String project) {
    var terms = new ArrayList<String>();
    var values = new ArrayList<Object>();
    add("project_id = ?", RowWriter.storable(project), terms, values);
    add("platform = ?", platform, terms, values);
    add("language = ?", language, terms, values);
    if (mood != null) terms.add(mood.condition());
    add("job_id = ?", job, terms, values);
    if (text != null) {
      terms.add("(title ILIKE ? ESCAPE '\\' OR body ILIKE ? ESCAPE '\\')");
      values.add(like(text));
      values.add(like(text));
    }
    add("? = ANY(string_to_array(keywords, chr(10)))", keyword, terms, values);
    add("impact >= ?", leastImpact, terms, values);
    add(TIME + " >= ?", utc(from), terms, values);
    add(TIME + " < ?", utc(to), terms, values);
    if (duplicates != null) terms.add("duplicate_of IS " + (duplicates ? "NOT NULL" : "NULL"));
    return new Condition(String.join(" AND ", terms), values);
  }

  private static void add(
      String term, @Nullable Object value, List<String> terms, List<Object> values) {
    if (value == null) return;
    terms.add(term);
    values.add(value instanceof String text ? RowWriter.storable(text) : value);
  }

  private static @Nullable LocalDateTime utc(@Nullable Instant time) {
    return time == null ? null : LocalDateTime.ofInstant(time, ZoneOffset.UTC);
  }

  private static String like(String text) {
    var plain = RowWriter.storable(text).replace("\\", "\\\\").replace("%", "\\%");
    return "%" + plain.replace("_", "\\_") + "%";
  }
}
