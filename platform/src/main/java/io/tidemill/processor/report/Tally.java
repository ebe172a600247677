package io.tidemill.processor.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts how often each value comes, in bounded memory: beyond some thousand different ones, new
/// ones are counted together.
final class Tally {
  private static final int MOST = 10_000;
  private static final int LONGEST = 200;

  private final Room room;
  private final Map<String, Double> counts = new HashMap<>();
  private boolean isComplete = true;
  private double beyond;

  Tally() {
    this(new Room(MOST));
  }

  Tally(Room room) {
    this.room = room;
  }

  /// How many different values some tallies may hold together.
  static final class Room {
    private int left;

    Room(int values) {
      left = values;
    }
  }

  void add(String value) {
    add(value, 1);
  }

  void add(String value, double amount) {
    var key = Words.shortened(value, LONGEST);
    if (!counts.containsKey(key)) {
      if (room.left == 0 || counts.size() >= MOST) {
        isComplete = false;
        beyond += amount;
        return;
      }
      room.left--;
    }
    counts.merge(key, amount, Double::sum);
  }

  /// Leaves its room to others.
  void forget() {
    room.left += counts.size();
    counts.clear();
  }

  /// All that have a count of their own, the most frequent ones first.
  List<Point> all() {
    return top(counts.size());
  }

  /// The count of those that have none of their own.
  double beyond() {
    return beyond;
  }

  /// The most frequent ones first.
  List<Point> top(int most) {
    return counts.entrySet().stream()
        .map(entry -> new Point(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingDouble(Point::value).reversed().thenComparing(Point::label))
        .limit(most)
        .toList();
  }

  /// In the order of the values themselves.
  List<Point> ordered(Comparator<String> order, int most) {
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(order))
        .map(entry -> new Point(entry.getKey(), entry.getValue()))
        .limit(most)
        .toList();
  }

  int different() {
    return counts.size();
  }

  /// Whether every value has a count of its own.
  boolean isComplete() {
    return isComplete;
  }
}
