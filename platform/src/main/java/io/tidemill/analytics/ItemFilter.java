package io.tidemill.analytics;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Selects items of a project; null matches all.
///
/// @param language ISO 639-1, or [#UNKNOWN] for items whose language was not found
/// @param text to be found in title or text, in any case
/// @param keyword exactly
/// @param from inclusive
/// @param to exclusive
/// @param duplicates whether only copies, or only others
public record ItemFilter(
    @Nullable String platform,
    @Nullable String language,
    @Nullable SentimentClass sentiment,
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

  /// Stands for no language.
  public static final String UNKNOWN = "unknown";

  /// The time of an item: when it was published, else when it was collected.
  static final String TIME = "coalesce(published_at, collected_at)";

  /// A condition with its values, in the order of their question marks.
  record Condition(String sql, List<Object> values) {}

  Condition condition(String project) {
    var terms = new ArrayList<String>();
    var values = new ArrayList<Object>();
    add("project_id = ?", project, terms, values);
    add("platform = ?", platform, terms, values);
    add("language = ?", UNKNOWN.equals(language) ? "" : language, terms, values);
    if (sentiment != null) terms.add(sentiment.condition());
    add("job_id = ?", job, terms, values);
    if (text != null) {
      terms.add("(title ILIKE ? ESCAPE '\\' OR body ILIKE ? ESCAPE '\\')");
      values.add(like(text));
      values.add(like(text));
    }
    add("? = ANY(string_to_array(keywords, chr(10)))", keyword, terms, values);
    add("impact >= ?", leastImpact, terms, values);
    add(TIME + " >= ?", from, terms, values);
    add(TIME + " < ?", to, terms, values);
    if (duplicates != null) terms.add("duplicate_of IS " + (duplicates ? "NOT NULL" : "NULL"));
    return new Condition(String.join(" AND ", terms), values);
  }

  private static void add(
      String term, @Nullable Object value, List<String> terms, List<Object> values) {
    if (value == null) return;
    terms.add(term);
    values.add(value);
  }

  private static String like(String text) {
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
  }
}
