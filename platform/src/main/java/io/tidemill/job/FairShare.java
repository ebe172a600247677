package io.tidemill.job;

import io.tidemill.contract.job.JobTask;
import io.tidemill.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// How tenants share the queue: their weights, and how many jobs of a task may be under way.
final class FairShare {
  private static final Pattern ENTRY = Pattern.compile("([\\w.:-]+)\\s*=\\s*(\\d{1,9})");

  private final Map<String, Integer> limits;
  private final Map<String, Integer> limitsPerKey;
  private final String json;

  FairShare(List<String> weights, List<String> limits, List<String> limitsPerKey) {
    this.limits = byTask("jobs.limits", limits);
    this.limitsPerKey = byTask("jobs.limits-per-key", limitsPerKey);
    var tree = Json.object();
    put(tree.putObject("weights"), numbers("jobs.weights", "gold=5", weights));
    put(tree.putObject("limits"), this.limits);
    put(tree.putObject("limits_per_key"), this.limitsPerKey);
    var tasks = tree.putArray("tasks");
    for (var task : JobTask.values()) tasks.add(task.wire());
    json = Json.text(tree);
  }

  /// What scripts know of it.
  String json() {
    return json;
  }

  /// How many of a task may be under way; null when that is not limited.
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

  private static void put(ObjectNode tree, Map<String, Integer> numbers) {
    numbers.forEach(tree::put);
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
