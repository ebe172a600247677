package io.tidemill.processor.chart;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts values in bounded memory: beyond some thousand distinct ones, new ones are counted
/// together.
public final class ValueTally {
  private static final int MOST = 10_000;
  private static final int LONGEST = 200;

  private final Room room;
  private final Map<String, Double> counts = new HashMap<>();
  private boolean isComplete = true;
  private double beyond;

  public ValueTally() {
    this(new Room(MOST));
  }

  public ValueTally(Room room) {
    this.room = room;
  }

  /// The number of distinct values that several tallies may hold together.
  public static final class Room {
    private int left;

    public Room(int values) {
      left = values;
    }
  }

  public void add(String value) {
    add(value, 1);
  }

  public void add(String value, double amount) {
    var key = HumanText.shortened(value, LONGEST);
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

  /// Drops all counts and returns their room.
  public void forget() {
    room.left += counts.size();
    counts.clear();
  }

  /// All values with a count of their own, the most frequent first.
  public List<ChartPoint> all() {
    return top(counts.size());
  }

  /// The count of the values without one of their own.
  double beyond() {
    return beyond;
  }

  /// The most frequent ones first.
  public List<ChartPoint> top(int most) {
    return counts.entrySet().stream()
        .map(entry -> new ChartPoint(entry.getKey(), entry.getValue()))
        .sorted(
            Comparator.comparingDouble(ChartPoint::value)
                .reversed()
                .thenComparing(ChartPoint::label))
        .limit(most)
        .toList();
  }

  /// In the order of the values themselves.
  public List<ChartPoint> ordered(Comparator<String> order, int most) {
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(order))
        .map(entry -> new ChartPoint(entry.getKey(), entry.getValue()))
        .limit(most)
        .toList();
  }

  public int different() {
    return counts.size();
  }

  /// Whether every value has a count of its own.
  public boolean isComplete() {
    return isComplete;
  }
}
