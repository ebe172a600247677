package io.tidemill.deadletter;

import io.tidemill.schema.SchemaViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Two sources shown as one: all of the first, then the second.
public record CompositeSource(DeadLetterSource first, DeadLetterSource second)
    implements DeadLetterSource {
  // Begins the `next` of a page that has come to the second.
  private static final char SECOND = '~';

  @Override
  public String carrier() {
    return second.carrier();
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    if (before != null && before.charAt(0) == SECOND) {
      var from = before.substring(1);
      var page = second.list(limit, from.isEmpty() ? null : from);
      return new Page(page.dead(), page.total() + first.list(1, null).total(), next(page));
    }
    var page = first.list(limit, before);
    var rest = second.list(Math.max(1, limit - page.dead().size()), null);
    var total = page.total() + rest.total();
    if (page.next() != null) return new Page(page.dead(), total, page.next());
    if (page.dead().size() == limit) {
      return new Page(page.dead(), total, rest.dead().isEmpty() ? null : String.valueOf(SECOND));
    }
    var dead = new ArrayList<>(page.dead());
    dead.addAll(rest.dead());
    return new Page(dead, total, next(rest));
  }

  private static @Nullable String next(Page page) {
    return page.next() == null ? null : SECOND + page.next();
  }

  @Override
  public Page newest(long deadline) {
    var some = first.newest(deadline);
    var others = second.newest(deadline);
    var dead = new ArrayList<>(some.dead());
    dead.addAll(others.dead());
    return new Page(dead, some.total() + others.total(), next(others));
  }

  @Override
  public long total() {
    return first.total() + second.total();
  }

  @Override
  public long discarded() {
    return first.discarded() + second.discarded();
  }

  @Override
  public long waiting() {
    return first.waiting() + second.waiting();
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return first.find(id).or(() -> second.find(id));
  }

  @Override
  public Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again) {
    return first.redrive(id, edit, again).or(() -> second.redrive(id, edit, again));
  }

  @Override
  public boolean discard(String id) {
    return first.discard(id) || second.discard(id);
  }

  @Override
  public void tidy() {
    second.tidy();
    first.tidy();
  }

  @Override
  public Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit) {
    return first.check(id, edit).or(() -> second.check(id, edit));
  }

  @Override
  public Optional<Redelivery> redelivery(String id) {
    return first.redelivery(id).or(() -> second.redelivery(id));
  }
}
