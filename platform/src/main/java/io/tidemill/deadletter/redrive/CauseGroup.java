package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.ByteText;
import io.tidemill.deadletter.DeadLetter;
import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Dead letters of one cause, counted.
public final class CauseGroup {
  private static final int IDS = 3;
  private static final int LONGEST_TEXT = 300;

  private final DeadLetter example;
  private final List<String> ids = new ArrayList<>();
  private int count;
  private int waiting;
  private boolean alike = true;
  private long firstAt = Long.MAX_VALUE;
  private long lastAt;

  private CauseGroup(DeadLetter example) {
    this.example = example;
  }

  /// The most frequent first.
  public static List<CauseGroup> of(Stream<DeadLetter> letters) {
    var groups = new LinkedHashMap<String, CauseGroup>();
    letters.forEach(letter ->
        groups.computeIfAbsent(letter.cause().id(), _ -> new CauseGroup(letter)).add(letter));
    return groups.values().stream()
        .sorted(
            Comparator.<CauseGroup>comparingInt(group -> -group.count)
                .thenComparingLong(group -> -group.lastAt))
        .toList();
  }

  private void add(DeadLetter letter) {
    count++;
    alike &= letter.message().equals(example.message());
    if (letter.state() == DeadLetter.State.WAITING) waiting++;
    firstAt = Math.min(firstAt, letter.at());
    lastAt = Math.max(lastAt, letter.at());
    if (ids.size() < IDS) ids.add(letter.id());
  }

  public ObjectNode encode() {
    var tree =
        Json.object()
            .put("cause", example.cause().id())
            .put("source", example.source())
            .put("reason", example.reason())
            .put("text", ByteText.cut(example.cause().text(), LONGEST_TEXT))
            .put("example", example.message())
            .put("alike", alike)
            .put("count", count)
            .put("waiting", waiting)
            .put("firstAt", firstAt)
            .put("lastAt", lastAt);
    ids.forEach(tree.putArray("ids")::add);
    return tree;
  }
}
