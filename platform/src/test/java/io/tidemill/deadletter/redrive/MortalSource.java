package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadLetterEdit;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.Redelivery;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.schema.SchemaViolation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A source whose letters kill whoever handles them: an error at one point of the way, so that
/// nothing behind it is done, as after a `kill -9`.
public class MortalSource implements DeadLetterSource {
  /// Where a gateway dies.
  public enum Death {
    BEFORE_THE_NOTE,
    BEFORE_THE_EFFECT,
    AFTER_THE_EFFECT
  }

  private final DeadLetterSource source;
  private final @Nullable Death death;
  private final AtomicInteger left;

  /// @param death null = nobody dies
  public MortalSource(DeadLetterSource source, @Nullable Death death, int deaths) {
    this.source = source;
    this.death = death;
    left = new AtomicInteger(deaths);
  }

  /// How many are still to die.
  public int left() {
    return left.get();
  }

  private void at(Death point) {
    if (point == death && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new AssertionError("killed " + point);
    }
  }

  @Override
  public Optional<Redelivery> redelivery(String id) {
    return source
        .redelivery(id)
        .map(redelivery ->
            new Redelivery() {
              @Override
              public String checkpoint() {
                at(Death.BEFORE_THE_NOTE);
                return redelivery.checkpoint();
              }

              @Override
              public RedriveResult send(String key) {
                at(Death.BEFORE_THE_EFFECT);
                var result = redelivery.send(key);
                at(Death.AFTER_THE_EFFECT);
                return result;
              }

              @Override
              public boolean alreadySent(String checkpoint) {
                return redelivery.alreadySent(checkpoint);
              }
            });
  }

  @Override
  public boolean discard(String id) {
    at(Death.BEFORE_THE_EFFECT);
    var isDiscarded = source.discard(id);
    at(Death.AFTER_THE_EFFECT);
    return isDiscarded;
  }

  @Override
  public String carrier() {
    return source.carrier();
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    return source.list(limit, before);
  }

  @Override
  public Page newest(long deadline) {
    return source.newest(deadline);
  }

  @Override
  public long total() {
    return source.total();
  }

  @Override
  public long discarded() {
    return source.discarded();
  }

  @Override
  public long waiting() {
    return source.waiting();
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return source.find(id);
  }

  @Override
  public Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again) {
    return source.redrive(id, edit, again);
  }

  @Override
  public Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit) {
    return source.check(id, edit);
  }

  @Override
  public void tidy() {
    source.tidy();
  }
}
