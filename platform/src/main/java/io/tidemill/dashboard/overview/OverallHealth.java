package io.tidemill.dashboard.overview;

import io.tidemill.dashboard.overview.WaitReason.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The overall health in one line, derived from servers, roles and channels.
record OverallHealth(Level level, String text) {
  private static final List<String> NEEDED = List.of("redis", "kafka", "amqp", "s3");

  // The effect of a missing server on users.
  private static final Map<String, String> MEANS =
      Map.of(
          "redis", "jobs are refused, and everything else waits",
          "kafka", "crawls, workflows and tasks wait",
          "amqp", "crawled pages and batches wait",
          "s3", "batches, exports and reports wait",
          "index", "pages can't be searched",
          "analytics", "charts and reports can't be made",
          "llm", "jobs that need the model fail or wait",
          "smtp", "mail waits");
  private static final List<String> NUMBERS =
      List.of("no", "one", "two", "three", "four", "five", "six");

  /// The state of a role.
  ///
  /// @param status `up`, `down`, `partly` or `starting`
  /// @param problems failed checks; of a starting role, those that may still succeed
  record Role(String name, String status, List<String> problems) {
    Role {
      problems = List.copyOf(problems);
    }
  }

  private record Issue(Level level, String text) {}

  /// @param waiting messages in all channels
  /// @param dead unhandled dead letters
  static OverallHealth of(
      List<ServerState.State> servers,
      List<Role> roles,
      List<WaitReason> reasons,
      long waiting,
      long dead) {
    var issues = new ArrayList<Issue>();
    for (var server : servers) {
      if (server.isStarting()) {
        issues.add(new Issue(Level.BUSY, server.name() + " has yet to answer"));
      }
      if (!server.isDown()) continue;
      var level = NEEDED.contains(server.name()) ? Level.DOWN : Level.WARN;
      var where = server.address().isEmpty() ? "" : " at " + server.address();
      issues.add(
          new Issue(
              level,
              "%s%s does not answer (%s): %s until it does"
                  .formatted(
                      server.name(),
                      where,
                      server.detail(),
                      MEANS.getOrDefault(server.name(), "what needs it waits"))));
    }
    var isServerDown = issues.stream().anyMatch(issue -> issue.level() == Level.DOWN);
    // The missing server is mentioned above.
    for (var reason : reasons) {
      if (reason.code() == WaitReason.Code.SERVER_DOWN && isServerDown) continue;
      issues.add(new Issue(reason.level(), reason.text()));
    }
    for (var role : roles) {
      var level = role.status().equals("starting") ? Level.BUSY : Level.WARN;
      for (var problem : role.problems()) issues.add(new Issue(level, problem));
    }
    var worst = issues.stream().map(Issue::level).max(Comparator.naturalOrder());
    if (worst.isEmpty()) return healthy(roles, waiting, dead);
    var texts =
        issues.stream()
            .filter(issue -> issue.level() == worst.get())
            .map(Issue::text)
            .distinct()
            .toList();
    var more = texts.size() == 1 ? "" : " And %d more.".formatted(texts.size() - 1);
    var text = texts.getFirst();
    return new OverallHealth(worst.get(), capital(text) + (text.endsWith(".") ? "" : ".") + more);
  }

  private static OverallHealth healthy(List<Role> roles, long waiting, long dead) {
    var running = roles.stream().filter(role -> !role.status().equals("down")).toList();
    var who =
        running.size() == roles.size() || running.size() > 3
            ? NUMBERS.get(Math.min(running.size(), 6)) + " roles run"
            : running.stream().map(Role::name).collect(Collectors.joining(" and "))
                + (running.size() == 1 ? " runs" : " run");
    var missing =
        roles.stream()
            .filter(role -> role.status().equals("down"))
            .map(Role::name)
            .collect(Collectors.joining(", "));
    var without = missing.isEmpty() ? "" : " Not started: " + missing + ".";
    var deadLetters =
        dead == 0
            ? ""
            : " %d dead letter%s to look at."
                .formatted(dead, dead == 1 ? " is there" : "s are there");
    return waiting == 0
        ? new OverallHealth(
            Level.OK, "All is well: " + who + ", nothing waits." + without + deadLetters)
        : new OverallHealth(Level.BUSY, "Work is under way: " + who + "." + without + deadLetters);
  }

  // Host names keep their case.
  private static String capital(String text) {
    if (text.split(" ", 2)[0].matches(".*[.:\\d].*")) return text;
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
