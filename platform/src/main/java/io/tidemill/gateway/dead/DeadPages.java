package io.tidemill.gateway.dead;

import io.tidemill.contract.Json;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.http.Parameters;
import io.tidemill.http.Response;
import io.tidemill.http.Stored;
import io.tidemill.store.redis.FailedPages;
import io.tidemill.store.redis.FailedPages.Failed;
import io.tidemill.store.redis.Redriven;
import io.tidemill.store.redis.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Pages that crawls could not fetch, the newest ten thousand. Redriven means fetched again, by a
/// crawl of that one page for the same owner.
public final class DeadPages implements DeadSource {
  /// The name under which clients ask.
  public static final String NAME = "pages";

  private static final Logger log = LoggerFactory.getLogger(DeadPages.class);
  private static final int NEWEST = 100;
  private static final Pattern ID = Pattern.compile("[0-9]{1,19}-[0-9]{1,19}");
  private static final String FIXED = "a page can't be changed: only fetched again";

  /// Has a page fetched for an owner.
  @FunctionalInterface
  public interface Fetch {
    /// @param key the same key again starts no second crawl
    Response fetch(String owner, String url, String key);
  }

  private final FailedPages pages;
  private final Redriven redriven;
  private final Fetch again;
  private final InstantSource clock;

  public DeadPages(FailedPages pages, Redriven redriven, Fetch again, InstantSource clock) {
    this.pages = pages;
    this.redriven = redriven;
    this.again = again;
    this.clock = clock;
  }

  @Override
  public String carrier() {
    return NAME;
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    if (before != null && !ID.matcher(before).matches()) {
      throw new Parameters.Wrong("before", "the next of another page");
    }
    var found = Stored.answer(() -> pages.newest(before, limit));
    var notes = notes(found.stream().map(Failed::id).toList());
    return new Page(
        found.stream().map(page -> encode(page, notes.get(page.id()))).toList(),
        total(),
        found.size() < limit ? null : found.getLast().id());
  }

  private Map<String, Instant> notes(List<String> ids) {
    return Stored.answer(() -> redriven.of(NAME, ids));
  }

  @Override
  public long total() {
    return Stored.answer(pages::count);
  }

  // Notes of pages that gave way to newer ones stay behind, so the difference alone could hide
  // new ones.
  @Override
  public long waiting() {
    var all = total();
    var noted = Stored.answer(() -> redriven.count(NAME));
    return noted == 0 ? all : Math.max(all - noted, newestWaiting());
  }

  private long newestWaiting() {
    return list(NEWEST, null).dead().stream()
        .filter(dead -> !dead.has(Answers.REDRIVEN_AT))
        .count();
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return page(id).map(page -> whole(page, notes(List.of(page.id())).get(page.id())));
  }

  private static ObjectNode whole(Failed page, @Nullable Instant redrivenAt) {
    var tree = encode(page, redrivenAt);
    tree.put("value", page.line());
    return tree.putNull("schema").put("editable", false);
  }

  private Optional<Failed> page(String id) {
    if (!id.startsWith(NAME + ":")) return Optional.empty();
    var name = id.substring(NAME.length() + 1);
    return ID.matcher(name).matches() ? Stored.answer(() -> pages.find(name)) : Optional.empty();
  }

  @Override
  public Optional<List<Violation>> check(String id, Edit edit) {
    return page(id).map(_ -> edit.isNone() ? List.of() : Violation.of(FIXED));
  }

  @Override
  public Optional<Response> redrive(String id, Edit edit, boolean again) {
    return page(id)
        .map(page -> {
          if (!edit.isNone()) return Answers.misfit(Violation.of(FIXED));
          return redrive(page, again ? UUID.randomUUID().toString() : "", again);
        });
  }

  // The crawl first: its id follows from the letter's, so that a second attempt starts no other.
  private Response redrive(Failed page, String key, boolean evenAgain) {
    var before = notes(List.of(page.id())).get(page.id());
    if (before != null && !evenAgain) return Answers.redrivenBefore(before);
    var fault = fault(page);
    if (fault != null) return Response.problem(422, fault);
    var url = line(page).path("url").asString("");
    var answer = again.fetch(page.owner(), url, "redrive " + page.id() + key);
    if (answer.status() == 202) note(page);
    return answer;
  }

  private void note(Failed page) {
    try {
      redriven.note(NAME, page.id(), clock.instant());
    } catch (StoreException silent) {
      log.warn(
          "page {} is fetched again, and that is not noted: {}", page.id(), silent.getMessage());
    }
  }

  @Override
  public Optional<WayBack> wayBack(String id) {
    return page(id).map(page -> key -> redrive(page, "", false));
  }

  private static @Nullable String fault(Failed page) {
    return page.owner().isEmpty() ? "nobody knows whose crawl it was" : null;
  }

  private static JsonNode line(Failed page) {
    var line = JobCodec.value(page.line());
    return line == null ? Json.object() : line;
  }

  private static ObjectNode encode(Failed page, @Nullable Instant redrivenAt) {
    var line = line(page);
    var tree = Json.object();
    tree.put("id", NAME + ":" + page.id());
    tree.put("source", NAME);
    tree.put("origin", page.crawlId());
    tree.put("origin_id", page.crawlId());
    tree.put("owner", page.owner());
    tree.put("key", line.path("url").asString(""));
    tree.put("attempts", 1);
    var status = line.path("status");
    tree.put("reason", status.isNumber() ? "HTTP_" + status.asInt(0) : "NO_ANSWER");
    tree.put("message", line.path("reason").asString(""));
    tree.put("ts", page.at());
    if (status.isNumber()) tree.put("status", status.asInt(0));
    if (redrivenAt != null) tree.put(Answers.REDRIVEN_AT, redrivenAt.toEpochMilli());
    var fault = fault(page);
    if (fault != null) tree.put("fault", fault);
    return tree;
  }
}
