package io.tidemill.analytics;

import io.tidemill.analytics.ProjectOverview.FailureShare;
import io.tidemill.analytics.ProjectOverview.SentimentCounts;
import io.tidemill.analytics.ProjectOverview.Share;
import io.tidemill.analytics.ProjectOverview.Slot;
import io.tidemill.analytics.ProjectOverview.Totals;
import io.tidemill.analytics.ProjectOverview.Word;
import io.tidemill.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The collected items by project (C5.8).
public final class ProjectStore {
  private static final String COUNTS =
      """
      SELECT project_id, count(*) AS items, 0 AS batches, 0 AS failed, max(collected_at) AS latest
      FROM items GROUP BY project_id
      UNION ALL SELECT project_id, 0, count(*), 0, max(collected_at) FROM batches GROUP BY project_id
      UNION ALL SELECT project_id, 0, 0, count(*), max(collected_at) FROM failures GROUP BY project_id
      """;
  private static final String SUMMARY =
      """
      SELECT max(project_id), sum(items), sum(batches), sum(failed), max(latest) AS latest
      FROM (%s) counts %s
      """;
  private static final String SENTIMENT_COUNTS =
      "count(*) AS items, avg(sentiment) AS mean_sentiment, count(*) FILTER (WHERE %s) AS positive, count(*) FILTER (WHERE %s) AS neutral, count(*) FILTER (WHERE %s) AS negative"
          .formatted(
              SentimentClass.POSITIVE.condition(),
              SentimentClass.NEUTRAL.condition(),
              SentimentClass.NEGATIVE.condition());

  private final SqlDatabase database;

  ProjectStore(SqlDatabase database) {
    this.database = database;
  }

  /// A project in a list.
  public record Summary(String project, Totals totals, Instant latest) {}

  /// The extent of an overview.
  public record Shape(Interval interval, int keywords, int items) {}

  /// The length of a slot of time.
  public enum Interval {
    HOUR,
    DAY,
    WEEK,
    MONTH;

    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// One page of the items of a project.
  ///
  /// @param next where the page after this one begins; null when there is none
  public record Page(List<StoredItem> items, @Nullable String next) {
    public Page {
      items = List.copyOf(items);
    }
  }

  /// Projects in the order of their names.
  ///
  /// @param after the last one of the page before; empty for the first
  public List<Summary> list(int limit, String after) {
    var sql =
        SUMMARY.formatted(
            COUNTS, "WHERE project_id > ? GROUP BY project_id ORDER BY project_id LIMIT " + limit);
    return read(
        "projects",
        connection -> database.query(connection, sql, List.of(after), ProjectStore::summary));
  }

  /// Whether a project has any items, batches or failures.
  public boolean isKnown(String project) {
    return read("project " + project, connection -> summary(connection, project).isPresent());
  }

  /// A project at one look; empty when there is none of this name.
  public Optional<ProjectOverview> overview(String project, ItemFilter filter, Shape shape) {
    return read(
        "project " + project,
        connection -> {
          var known = summary(connection, project);
          if (known.isEmpty()) return Optional.empty();
          var condition = filter.condition(project);
          var totals = known.get().totals();
          if (!filter.equals(ItemFilter.ALL)) {
            totals = new Totals(count(connection, condition), totals.batches(), totals.failed());
          }
          return Optional.of(
              new ProjectOverview(
                  totals,
                  count(
                      connection,
                      new ItemFilter.Condition(
                          condition.sql() + " AND duplicate_of IS NOT NULL", condition.values())),
                  known.get().latest(),
                  shares(connection, "platform", condition),
                  shares(connection, "language", condition),
                  slots(connection, shape.interval(), condition),
                  words(connection, shape.keywords(), condition),
                  new ItemPager(database, connection)
                      .read(project, filter, ItemOrder.IMPACT, shape.items(), null)
                      .items(),
                  failures(connection, project)));
        });
  }

  private Optional<Summary> summary(Connection connection, String project) throws SQLException {
    var sql =
        SUMMARY.formatted(
            COUNTS.replace(" GROUP BY", " WHERE project_id = ? GROUP BY"), "HAVING count(*) > 0");
    return database
        .query(connection, sql, Collections.nCopies(3, project), ProjectStore::summary)
        .stream()
        .findFirst();
  }

  private static Summary summary(ResultSet row) throws SQLException {
    return new Summary(
        row.getString(1),
        new Totals(row.getLong(2), row.getLong(3), row.getLong(4)),
        Objects.requireNonNull(ItemRows.time(row, "latest")));
  }

  private long count(Connection connection, ItemFilter.Condition condition) throws SQLException {
    var sql = "SELECT count(*) FROM items WHERE " + condition.sql();
    return database.query(connection, sql, condition.values(), row -> row.getLong(1)).getFirst();
  }

  private List<Share> shares(Connection connection, String column, ItemFilter.Condition condition)
      throws SQLException {
    var sql =
        "SELECT %s AS name, %s FROM items WHERE %s GROUP BY %s ORDER BY items DESC, name"
            .formatted(column, SENTIMENT_COUNTS, condition.sql(), column);
    return database.query(
        connection, sql, condition.values(), row -> new Share(row.getString("name"), counts(row)));
  }

  private List<Slot> slots(Connection connection, Interval interval, ItemFilter.Condition condition)
      throws SQLException {
    var sql =
        "SELECT CAST(date_trunc('%s', %s) AS TIMESTAMP) AS slot, %s FROM items WHERE %s GROUP BY slot ORDER BY slot"
            .formatted(interval.wire(), ItemFilter.TIME, SENTIMENT_COUNTS, condition.sql());
    return database.query(
        connection,
        sql,
        condition.values(),
        row -> new Slot(Objects.requireNonNull(ItemRows.time(row, "slot")), counts(row)));
  }

  private List<Word> words(Connection connection, int limit, ItemFilter.Condition condition)
      throws SQLException {
    var sql =
        """
        SELECT keyword, count(*) AS items, avg(score) AS score, avg(sentiment) AS mean_sentiment
        FROM (SELECT unnest(string_to_array(keywords, chr(10))) AS keyword,
                CAST(unnest(string_to_array(keyword_scores, chr(10))) AS DOUBLE PRECISION) AS score,
                sentiment
              FROM items WHERE keywords <> '' AND %s) words
        GROUP BY keyword ORDER BY items DESC, score DESC, keyword LIMIT %d
        """
            .formatted(condition.sql(), limit);
    return database.query(
        connection,
        sql,
        condition.values(),
        row ->
            new Word(
                row.getString("keyword"),
                row.getLong("items"),
                row.getDouble("score"),
                meanSentiment(row)));
  }

  private List<FailureShare> failures(Connection connection, String project) throws SQLException {
    return database.query(
        connection,
        "SELECT code, category, count(*) AS items FROM failures WHERE project_id = ? GROUP BY code, category ORDER BY items DESC, code LIMIT 100",
        List.of(project),
        row -> new FailureShare(row.getString(1), row.getString(2), row.getLong(3)));
  }

  /// The items that could not be collected or parsed, the newest first.
  public List<ItemFailure> failures(String project, int limit, int offset) {
    var sql =
        "SELECT platform, position, item_id, url, code, category, message FROM failures WHERE project_id = ? ORDER BY collected_at DESC, batch_key, position LIMIT %d OFFSET %d"
            .formatted(limit, offset);
    return read(
        "failures of " + project,
        connection ->
            database.query(
                connection,
                sql,
                List.of(project),
                row ->
                    new ItemFailure(
                        project,
                        row.getString(1),
                        row.getInt(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        row.getString(7))));
  }

  /// One page of a project's items.
  ///
  /// @param after the `next` of the page before; null for the first
  /// @throws IllegalArgumentException when it is not
  public Page items(
      String project, ItemFilter filter, ItemOrder order, int limit, @Nullable String after) {
    return read(
        "items of " + project,
        connection ->
            new ItemPager(database, connection).read(project, filter, order, limit, after));
  }

  /// All items of a project, a few at a time; to be closed.
  public QueryRows<StoredItem> stream(String project, ItemFilter filter, ItemOrder order) {
    var condition = filter.condition(project);
    return QueryRows.open(
        database,
        "items",
        project,
        "SELECT * FROM items WHERE %s ORDER BY %s DESC, platform, item_id"
            .formatted(condition.sql(), order.expression()),
        condition.values(),
        ItemRows::read);
  }

  private static SentimentCounts counts(ResultSet row) throws SQLException {
    return new SentimentCounts(
        row.getLong("items"),
        meanSentiment(row),
        row.getLong("positive"),
        row.getLong("neutral"),
        row.getLong("negative"));
  }

  private static @Nullable Double meanSentiment(ResultSet row) throws SQLException {
    var mean = row.getDouble("mean_sentiment");
    return row.wasNull() ? null : (Double) mean;
  }

  private interface Reading<T> {
    T read(Connection connection) throws SQLException;
  }

  private <T> T read(String what, Reading<T> reading) {
    try (var connection = database.connect()) {
      return reading.read(connection);
    } catch (SQLException failed) {
      throw AnalyticsException.of(what + " can't be read", failed, database);
    }
  }
}
