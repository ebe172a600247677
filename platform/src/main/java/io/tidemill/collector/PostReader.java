package io.tidemill.collector;

import io.tidemill.analytics.CollectedItem.Author;
import io.tidemill.analytics.CollectedItem.Reactions;
import io.tidemill.contract.collected.CollectedCodec;
import io.tidemill.contract.collected.CollectedTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads items in the layouts that are seen in the wild: `meta`, `content`, `interaction` and
/// `author` apart (the second), or all fields side by side (the first). Ids are texts, digit by
/// digit (C5.6).
final class PostReader {
  private static final String[] VIEWS = {"views", "view_count", "viewCount", "play_count", "plays"};
  private static final String[] LIKES = {
    "likes", "like_count", "likeCount", "likes_count", "digg_count", "reactions", "reaction_count"
  };
  private static final String[] COMMENTS = {
    "comments_count", "comment_count", "commentCount", "comments", "replies", "reply_count"
  };
  private static final String[] SHARES = {
    "shares", "share_count", "shareCount", "shares_count", "reposts", "retweets", "retweet_count"
  };
  private static final String[] SAVES = {
    "saves", "save_count", "saveCount", "saves_count", "collect_count", "bookmarks", "favorites"
  };
  private static final String[] COUNTED = {
    "interaction", "interactions", "engagement", "metrics", "statistics", "stats"
  };
  private static final String[] TIMES = {
    "published_at", "publishedAt", "created_at", "createdAt", "publish_time", "upload_date", "date"
  };
  private static final String[] URLS = {"permalink", "url", "link", "web_url"};
  private static final String[] TEXTS = {"text", "caption", "description", "body", "message"};
  private static final String[] SPOKEN = {"transcription", "transcript"};
  private static final int MOST_TAGS = 100;
  private static final long LAST_SECOND = 100_000_000_000L; // beyond it are milliseconds

  private PostReader() {}

  /// @throws IllegalArgumentException that says what is wrong with it
  static Post read(JsonNode item) {
    if (!item.isObject()) throw new IllegalArgumentException("the item is not a JSON object");
    var meta = item.path("meta");
    var content = item.path("content");
    var post =
        new Post(
            id(item, meta),
            either(meta, item, "project_id"),
            either(meta, item, "platform").toLowerCase(Locale.ROOT),
            either(meta, item, URLS),
            either(content, item, "title"),
            content.isString() ? content.asString() : either(content, item, TEXTS),
            either(content, item, SPOKEN),
            tags(content.has("hashtags") ? content : item),
            language(content, item),
            author(item),
            reactions(item),
            publishedAt(meta, item));
    if (post.id().isEmpty() && post.url().isEmpty() && isSilent(post)) {
      throw new IllegalArgumentException("the item has neither an id nor any text");
    }
    for (var name : List.of(post.id(), post.projectId(), post.platform())) {
      if (name.length() > CollectedCodec.LONGEST_NAME) {
        throw new IllegalArgumentException(
            "id, project_id and platform must have at most %d characters"
                .formatted(CollectedCodec.LONGEST_NAME));
      }
    }
    return post;
  }

  private static boolean isSilent(Post post) {
    return (post.title() + post.text() + post.spoken()).isBlank();
  }

  private static String id(JsonNode item, JsonNode meta) {
    for (var place : List.of(meta, item)) {
      var id = place.path("id");
      if (id.isMissingNode() || id.isNull()) continue;
      if (!id.isString() && !id.isIntegralNumber()) {
        throw new IllegalArgumentException("id must be a string");
      }
      return id.asString();
    }
    return "";
  }

  private static String either(JsonNode first, JsonNode second, String... names) {
    for (var place : List.of(first, second)) {
      for (var name : names) {
        var value = place.path(name);
        if (value.isString() || value.isIntegralNumber()) return value.asString();
      }
    }
    return "";
  }

  private static List<String> tags(JsonNode place) {
    var tags = new ArrayList<String>();
    for (var tag : place.path("hashtags")) {
      if (tag.isString() && tags.size() < MOST_TAGS) tags.add(tag.asString());
    }
    return tags;
  }

  private static @Nullable String language(JsonNode content, JsonNode item) {
    var said = either(content, item, "language", "lang");
    return said.isEmpty() ? null : said;
  }

  private static Author author(JsonNode item) {
    var author = item.path("author");
    if (author.isString()) return new Author("", author.asString(), 0, false);
    return new Author(
        either(author, author, "id", "username"),
        either(author, author, "name", "username", "display_name"),
        count(author, "followers", "follower_count", "followers_count", "subscribers"),
        author.path("is_verified").asBoolean(false) || author.path("verified").asBoolean(false));
  }

  private static Reactions reactions(JsonNode item) {
    var place = item;
    for (var name : COUNTED) {
      if (item.path(name).isObject()) {
        place = item.path(name);
        break;
      }
    }
    var comments = count(place, COMMENTS);
    return new Reactions(
        count(place, VIEWS),
        count(place, LIKES),
        comments == 0 ? item.path("comments").size() : comments,
        count(place, SHARES),
        count(place, SAVES));
  }

  // What is no number counts for nothing: a view more or less is no reason to lose a post.
  private static long count(JsonNode place, String... names) {
    for (var name : names) {
      var value = place.path(name);
      if (value.isIntegralNumber() && value.canConvertToLong()) {
        return Math.max(0, value.longValue());
      }
      if (value.isNumber()) return (long) Math.clamp(value.doubleValue(), 0, Long.MAX_VALUE);
      if (value.isString() && value.asString().matches("\\d{1,18}")) {
        return Long.parseLong(value.asString());
      }
    }
    return 0;
  }

  private static @Nullable Instant publishedAt(JsonNode meta, JsonNode item) {
    for (var place : List.of(meta, item)) {
      for (var name : TIMES) {
        var time = time(place.path(name));
        if (time != null) return time;
      }
    }
    return null;
  }

  private static @Nullable Instant time(JsonNode value) {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      var number = value.longValue();
      if (number <= 0 || number > LAST_SECOND * 1_000) return null;
      return number > LAST_SECOND ? Instant.ofEpochMilli(number) : Instant.ofEpochSecond(number);
    }
    if (!value.isString()) return null;
    var text = value.asString();
    try {
      return CollectedTime.read("", text.matches("\\d{4}-\\d\\d-\\d\\d") ? text + "T00:00" : text);
    } catch (IllegalArgumentException notATime) {
      return null;
    }
  }
}
