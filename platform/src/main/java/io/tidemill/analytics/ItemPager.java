package io.tidemill.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads items page by page; a page begins after the last item of the one before (keyset paging).
record ItemPager(SqlDatabase database, Connection connection) {
  ProjectStore.Page read(
      String project, ItemFilter filter, ItemOrder order, int limit, @Nullable String after)
      throws SQLException {
    if (limit == 0) return new ProjectStore.Page(List.of(), null);
    var condition = filter.condition(project);
    var values = new ArrayList<>(condition.values());
    var sql = new StringBuilder("SELECT * FROM items WHERE ").append(condition.sql());
    if (after != null) {
      var place = place(order, after);
      sql.append(
          " AND (%1$s < ? OR (%1$s = ? AND (platform > ? OR (platform = ? AND item_id > ?))))"
              .formatted(order.expression()));
      values.addAll(List.of(place.value, place.value));
      values.addAll(List.of(place.platform, place.platform, place.id));
    }
    sql.append(" ORDER BY %s DESC, platform, item_id LIMIT ".formatted(order.expression()));
    var items =
        database.query(connection, sql.append(limit + 1).toString(), values, ItemRows::read);
    if (items.size() <= limit) return new ProjectStore.Page(items, null);
    items.removeLast();
    return new ProjectStore.Page(items, cursor(order, items.getLast()));
  }

  private record Place(Object value, String platform, String id) {}

  private static String cursor(ItemOrder order, StoredItem last) {
    var item = last.item();
    var value =
        switch (order) {
          case IMPACT -> String.valueOf(item.findings().impact());
          case VIEWS -> String.valueOf(item.reactions().views());
          case LIKES -> String.valueOf(item.reactions().likes());
          case NEWEST -> {
            var published = item.publishedAt();
            yield LocalDateTime.ofInstant(
                    published == null ? last.collectedAt() : published, ZoneOffset.UTC)
                .toString();
          }
        };
    var text = value + "\n" + item.platform() + "\n" + item.id();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  private static LocalDateTime within(LocalDateTime time) {
    if (time.getYear() < 1 || time.getYear() > 9999) throw new DateTimeException("no such year");
    return time;
  }

  private static Place place(ItemOrder order, String cursor) {
    try {
      var parts = new String(Base64.getUrlDecoder().decode(cursor), UTF_8).split("\n", 3);
      var value =
          switch (order) {
            case IMPACT -> (Object) Double.valueOf(parts[0]);
            case VIEWS, LIKES -> Long.valueOf(parts[0]);
            case NEWEST -> within(LocalDateTime.parse(parts[0]));
          };
      return new Place(value, parts[1], parts[2]);
    } catch (IllegalArgumentException | DateTimeException | ArrayIndexOutOfBoundsException wrong) {
      throw new IllegalArgumentException("not a place in this list", wrong);
    }
  }
}
