package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One change of a leased execution, written by one script.
public final class ExecutionChange {
  private final TreeMap<String, String> set = new TreeMap<>();
  private final Set<String> removed = new TreeSet<>();
  private final List<String> events = new ArrayList<>();
  private final List<String> followerEvents = new ArrayList<>();
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

  /// Sets or removes a field whose value has changed.
  <T> void diff(String field, @Nullable T was, @Nullable T is, Function<T, String> encode) {
    if (is == null) {
      if (was != null) remove(field);
    } else if (!is.equals(was)) {
      set(field, encode.apply(is));
    }
  }

  /// This change and then another one, as one.
  public ExecutionChange then(ExecutionChange next) {
    next.set.forEach(this::set);
    next.removed.forEach(this::remove);
    events.addAll(next.events);
    followerEvents.addAll(next.followerEvents);
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
  public ExecutionChange follow(String type, String data) {
    followerEvents.add(type);
    followerEvents.add(data);
    return this;
  }

  /// The first events of the outbox are in the topic, the last of them at this offset.
  public ExecutionChange sent(int count, long offset) {
    sent = count;
    if (count > 0) mark = String.valueOf(offset);
    return this;
  }

  /// The lease ends; it is due again at that time.
  public ExecutionChange release(Instant at) {
    place = "timer";
    due = at.toEpochMilli();
    return this;
  }

  /// The lease ends; it is ready at once.
  public ExecutionChange giveBack() {
    place = "ready";
    return this;
  }

  /// The lease ends and with it the execution.
  public ExecutionChange done() {
    place = "done";
    return this;
  }

  /// The fields to write.
  Map<String, String> fields() {
    return Map.copyOf(set);
  }

  /// The fields to remove.
  Set<String> removed() {
    return Set.copyOf(removed);
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
    addAll(arguments, followerEvents);
  }

  private static void addAll(List<Object> arguments, Collection<String> more) {
    arguments.add(more.size());
    arguments.addAll(more);
  }

  int weight() {
    return 1 + events.size() + followerEvents.size() / 2;
  }
}
