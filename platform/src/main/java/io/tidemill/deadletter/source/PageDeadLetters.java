package io.tidemill.deadletter.source;

import io.tidemill.contract.job.JobCodec;
import io.tidemill.crawl.FailedPageStore;
import io.tidemill.crawl.FailedPageStore.Failed;
import io.tidemill.deadletter.DeadLetterEdit;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.InvalidCursor;
import io.tidemill.deadletter.Redelivery;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.schema.SchemaViolation;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Pages that crawls could not fetch, the newest ten thousand. Redriven means fetched again, by a
/// crawl of that one page for the same owner.
public final class PageDeadLetters implements DeadLetterSource {
  /// The name under which clients ask.
  public static final String NAME = "pages";

  private static final Pattern ID = Pattern.compile("[0-9]{1,19}-[0-9]{1,19}");
  private static final String FIXED = "a page can't be changed: only fetched again";

  /// Has a page fetched for an owner.
  @FunctionalInterface
  public interface Fetch {
    /// @param key the same key again starts no second crawl
    RedriveResult fetch(String owner, String url, String key);
  }

  private final FailedPageStore pages;
  private final Fetch again;
  private final HandledNotes notes;

  public PageDeadLetters(
      FailedPageStore pages, HandledDeadLetterStore handled, Fetch again, InstantSource clock) {
    this.pages = pages;
    this.again = again;
    notes = new HandledNotes(NAME, handled, clock);
  }

  @Override
  public String carrier() {
    return NAME;
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    if (before != null && !ID.matcher(before).matches()) {
      throw new InvalidCursor(before);
    }
    var found = StoreRetry.answer(() -> pages.newest(before, limit));
    var done = notes.of(found.stream().map(Failed::id).toList());
    return new Page(
        found.stream().map(page -> encode(page, done.get(page.id()))).toList(),
        total(),
        found.size() < limit ? null : found.getLast().id());
  }

  @Override
  public long total() {
    return StoreRetry.answer(pages::count);
  }

  @Override
  public long discarded() {
    return notes.discarded();
  }

  @Override
  public long waiting() {
    return notes.waiting(this);
  }

  @Override
  public void tidy() {
    notes.tidy(ids -> StoreRetry.answer(() -> pages.gone(ids)));
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return page(id).map(page -> whole(page, notes.of(page.id()).orElse(null)));
  }

  private static ObjectNode whole(Failed page, @Nullable Note note) {
    var tree = encode(page, note);
    tree.put("value", page.line());
    return tree.putNull("schema").put("editable", false);
  }

  private Optional<Failed> page(String id) {
    if (!id.startsWith(NAME + ":")) return Optional.empty();
    var name = id.substring(NAME.length() + 1);
    return ID.matcher(name).matches()
        ? StoreRetry.answer(() -> pages.find(name))
        : Optional.empty();
  }

  @Override
  public Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit) {
    return page(id).map(_ -> edit.isNone() ? List.of() : SchemaViolation.of(FIXED));
  }

  @Override
  public Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again) {
    return page(id)
        .map(page -> {
          if (!edit.isNone()) return new RedriveResult.SchemaMismatch(SchemaViolation.of(FIXED));
          return redrive(page, again ? UUID.randomUUID().toString() : "", again);
        });
  }

  // The crawl first: its id follows from the dead letter's, so that a second attempt starts no
  // other.
  private RedriveResult redrive(Failed page, String key, boolean evenAgain) {
    var before = notes.of(page.id());
    if (before.isPresent() && !evenAgain) return new RedriveResult.HandledBefore(before.get());
    var fault = fault(page);
    if (fault != null) return new RedriveResult.Impossible(fault);
    var url = line(page).path("url").asString("");
    var result = again.fetch(page.owner(), url, "redrive " + page.id() + key);
    if (result instanceof RedriveResult.Sent) notes.redriven(page.id());
    return result;
  }

  @Override
  public boolean discard(String id) {
    var page = page(id);
    page.ifPresent(found -> notes.discard(found.id()));
    return page.isPresent();
  }

  @Override
  public Optional<Redelivery> redelivery(String id) {
    return page(id)
        .map(page ->
            new Redelivery() {
              @Override
              public RedriveResult send(String key) {
                return redrive(page, "", false);
              }

              @Override
              public boolean alreadySent(String checkpoint) {
                return notes.of(page.id()).filter(note -> note.how() == How.REDRIVEN).isPresent();
              }
            });
  }

  private static @Nullable String fault(Failed page) {
    return page.owner().isEmpty() ? "nobody knows whose crawl it was" : null;
  }

  private static JsonNode line(Failed page) {
    var line = JobCodec.value(page.line());
    return line == null ? Json.object() : line;
  }

  private static ObjectNode encode(Failed page, @Nullable Note note) {
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
    HandledNotes.put(tree, note);
    var fault = fault(page);
    if (fault != null) tree.put("fault", fault);
    return tree;
  }
}
