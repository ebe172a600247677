package io.tidemill.job;

import io.tidemill.contract.job.JobTask;
import io.tidemill.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How tenants share the queue: their weights, and the limits of jobs in flight by task.
final class FairShare {
  private static final Pattern ENTRY = Pattern.compile("([\\w.:-]+)\\s*=\\s*(\\d{1,9})");

  private final Map<String, Integer> limits;
  private final Map<String, Integer> limitsPerKey;
  private final String json;

  FairShare(List<String> weights, List<String> limits, List<String> limitsPerKey) {
    this.limits = byTask("jobs.limits", limits);
    this.limitsPerKey = byTask("jobs.limits-per-key", limitsPerKey);
    var tree = Json.object();
    numbers("jobs.weights", "gold=5", weights).forEach(tree.putObject("weights")::put);
    this.limits.forEach(tree.putObject("limits")::put);
    this.limitsPerKey.forEach(tree.putObject("limits_per_key")::put);
    var tasks = tree.putArray("tasks");
    for (var task : JobTask.values()) tasks.add(task.wire());
    json = Json.text(tree);
  }

  /// The form that scripts read.
  String json() {
    return json;
  }

  /// The limit of jobs of a task in flight; null when there is none.
  @Nullable Integer limit(String task) {
    return limits.get(task);
  }

  /// The same for each tenant.
  @Nullable Integer limitPerKey(String task) {
    return limitsPerKey.get(task);
  }

  boolean isLimited() {
    return !limits.isEmpty() || !limitsPerKey.isEmpty();
  }

  boolean isLimited(JobTask task) {
    return limits.containsKey(task.wire()) || limitsPerKey.containsKey(task.wire());
  }

  private static Map<String, Integer> byTask(String key, List<String> entries) {
    var numbers = numbers(key, "chat=4", entries);
    for (var name : numbers.keySet()) {
      if (JobTask.of(name).isEmpty()) {
        throw new IllegalArgumentException(
            key + " has '" + name + "': expected one of " + JobTask.NAMES);
      }
    }
    return numbers;
  }

  private static Map<String, Integer> numbers(String key, String example, List<String> entries) {
    var numbers = new LinkedHashMap<String, Integer>();
    for (var entry : entries) {
      var parts = ENTRY.matcher(entry);
      if (!parts.matches() || Integer.parseInt(parts.group(2)) < 1) {
        throw new IllegalArgumentException(
            key + " has '" + entry + "': expected entries such as " + example + ", at least 1");
      }
      numbers.put(parts.group(1), Integer.parseInt(parts.group(2)));
    }
    return numbers;
  }
}
