package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One change of a workflow or task that is held: what is written together.
public final class ExecutionChange {
  private final TreeMap<String, String> set = new TreeMap<>();
  private final Set<String> removed = new TreeSet<>();
  private final List<String> events = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private @Nullable ExecutionStatus status;
  private String place = "keep";
  private long due;
  private int sent;
  private String mark = "";

  public ExecutionChange status(ExecutionStatus now) {
    status = now;
    return this;
  }

  public ExecutionChange set(String field, String value) {
    removed.remove(field);
    set.put(field, value);
    return this;
  }

  public ExecutionChange remove(String... fields) {
    for (var field : fields) {
      set.remove(field);
      removed.add(field);
    }
    return this;
  }

  /// This change and then another one, as one.
  public ExecutionChange then(ExecutionChange next) {
    next.set.forEach(this::set);
    next.removed.forEach(this::remove);
    events.addAll(next.events);
    told.addAll(next.told);
    if (next.status != null) status = next.status;
    place = next.place;
    due = next.due;
    return this;
  }

  /// An event to publish, as it will be on the wire.
  public ExecutionChange event(String encoded) {
    events.add(encoded);
    return this;
  }

  /// An event for followers.
  ///
  /// @param data JSON text
  public ExecutionChange tell(String type, String data) {
    told.add(type);
    told.add(data);
    return this;
  }

  /// So many events of the outbox are in the topic, the last of them at this offset.
  public ExecutionChange sent(int count, long offset) {
    sent = count;
    if (count > 0) mark = String.valueOf(offset);
    return this;
  }

  /// Held no longer; to be taken again from then on.
  public ExecutionChange again(Instant at) {
    place = "timer";
    due = at.toEpochMilli();
    return this;
  }

  /// Held no longer; to be taken again at once.
  public ExecutionChange giveBack() {
    place = "ready";
    return this;
  }

  /// Over: held no longer, and never taken again.
  public ExecutionChange done() {
    place = "done";
    return this;
  }

  void addTo(List<Object> arguments) {
    arguments.add(sent);
    arguments.add(mark);
    arguments.add(status == null ? "" : status.wire());
    arguments.add(place);
    arguments.add(due);
    arguments.add(set.size() * 2);
    set.forEach((field, value) -> {
      arguments.add(field);
      arguments.add(value);
    });
    addAll(arguments, removed);
    addAll(arguments, events);
    addAll(arguments, told);
  }

  private static void addAll(List<Object> arguments, Collection<String> more) {
    arguments.add(more.size());
    arguments.addAll(more);
  }

  int weight() {
    return 1 + events.size() + told.size() / 2;
  }
}
