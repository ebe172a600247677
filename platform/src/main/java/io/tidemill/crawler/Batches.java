package io.tidemill.crawler;

import io.tidemill.contract.Json;
import io.tidemill.contract.collected.CollectedEvent;
import io.tidemill.contract.collected.CollectedNames;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Hands the pages of one crawl on as batches: first the batch into the object store, then the
/// event that tells of it (C5.7). For one thread at a time.
///
/// A batch's place and the id of its event follow from the crawl and the batch's number. So after a
/// crash the same pages, given again from the batch that was not confirmed, write over what is
/// there, and readers know the event when they see it twice.
public final class Batches {
  /// Where batches go; throws when the object store has not got it.
  @FunctionalInterface
  public interface Store {
    void put(String bucket, String key, byte[] json);
  }

  /// Which crawl the pages are of.
  public record Origin(String project, String job) {}

  /// One page, as analysis wants it.
  ///
  /// @param text its own case, for people
  /// @param language empty when it is not known
  /// @param publishedAt null when the page does not say
  public record Item(
      String id,
      String url,
      String host,
      String title,
      String text,
      String language,
      @Nullable Instant publishedAt,
      Instant fetchedAt) {}

  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private final Origin origin;
  private final int size;
  private final Store store;
  private final Consumer<CollectedEvent> events;
  private final InstantSource clock;
  private final List<Item> waiting = new ArrayList<>();
  private int index;

  /// @param size items in a full batch
  /// @param firstIndex 0, or the first batch that was not confirmed before a crash
  /// @param events publishes one event, and throws when the broker has not confirmed it
  public Batches(
      Origin origin,
      int size,
      int firstIndex,
      Store store,
      Consumer<CollectedEvent> events,
      InstantSource clock) {
    this.origin = origin;
    this.size = size;
    this.index = firstIndex;
    this.store = store;
    this.events = events;
    this.clock = clock;
  }

  /// Adds a page, and hands on the batch when that makes it full.
  ///
  /// @return how many batches are handed on and confirmed
  public int add(Item item) {
    waiting.add(item);
    if (waiting.size() >= size) flush();
    return index;
  }

  /// Hands on what is left, at the end of the crawl; after a failure, the same again.
  ///
  /// @return how many batches are handed on and confirmed
  public int flush() {
    if (waiting.isEmpty()) return index;
    var event = event(origin, index, waiting.size(), clock.instant());
    store.put(CollectedNames.BUCKET, key(origin, index), json(waiting));
    events.accept(event);
    waiting.clear();
    return ++index;
  }

  static String key(Origin origin, int index) {
    return CollectedNames.batch(plain(origin.project()), plain(origin.job()), index);
  }

  // What is no part of a path to some reader is none to us.
  private static String plain(String name) {
    var plain = name.replaceAll("[^\\p{L}\\p{N}._-]", "_");
    return plain.chars().allMatch(c -> c == '.') ? "_" : plain;
  }

  static CollectedEvent event(Origin origin, int index, int count, Instant now) {
    var path = CollectedNames.BUCKET + "/" + key(origin, index);
    var id = UUID.nameUUIDFromBytes(path.getBytes(StandardCharsets.UTF_8));
    return new CollectedEvent(
        "evt_" + id, now, origin.project(), origin.job(), CollectedNames.WEB, path, count, index);
  }

  static byte[] json(List<Item> items) {
    return Json.bytes(items.stream().map(Batches::tree).toList());
  }

  // The shape that readers of this contract know from other platforms, with ours added to it.
  private static ObjectNode tree(Item item) {
    var meta =
        Json.object()
            .put("id", item.id())
            .put("platform", "WEB")
            .put("fetch_status", "success")
            .put("published_at", time(item.publishedAt()))
            .put("fetched_at", time(item.fetchedAt()))
            .put("permalink", item.url());
    var content = Json.object().put("title", item.title()).put("text", item.text());
    if (!item.language().isEmpty()) content.put("language", item.language());
    var tree = Json.object();
    tree.set("meta", meta);
    tree.set("content", content);
    tree.set("interaction", interaction());
    tree.set("author", Json.object().put("id", item.host()).put("name", item.host()));
    return tree;
  }

  private static ObjectNode interaction() {
    return Json.object()
        .put("views", 0)
        .put("likes", 0)
        .put("comments_count", 0)
        .put("shares", 0)
        .put("saves", 0);
  }

  private static @Nullable String time(@Nullable Instant at) {
    return at == null ? null : MILLIS.format(at);
  }
}
