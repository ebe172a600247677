package io.tidemill.dashboard.overview;

import io.tidemill.dashboard.overview.WaitReason.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// How it all stands, in one line: a function of what is known of servers, roles and channels.
record OverallHealth(Level level, String text) {
  private static final List<String> NEEDED = List.of("redis", "kafka", "amqp", "s3");

  // What it means for those who use the platform when a server is away.
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

  /// A role as it stands.
  ///
  /// @param status `up`, `down`, `partly` or `starting`
  /// @param troubles what does not go well; of one that is starting, what does not go yet
  record Role(String name, String status, List<String> troubles) {
    Role {
      troubles = List.copyOf(troubles);
    }
  }

  private record Matter(Level level, String text) {}

  /// @param waiting what waits in all channels together
  /// @param dead letters that somebody should look at
  static OverallHealth of(
      List<ServerState.State> servers,
      List<Role> roles,
      List<WaitReason> reasons,
      long waiting,
      long dead) {
    var matters = new ArrayList<Matter>();
    for (var server : servers) {
      if (server.isStarting()) {
        matters.add(new Matter(Level.BUSY, server.name() + " has yet to answer"));
      }
      if (!server.isDown()) continue;
      var level = NEEDED.contains(server.name()) ? Level.DOWN : Level.WARN;
      var where = server.address().isEmpty() ? "" : " at " + server.address();
      matters.add(
          new Matter(
              level,
              "%s%s does not answer (%s): %s until it does"
                  .formatted(
                      server.name(),
                      where,
                      server.detail(),
                      MEANS.getOrDefault(server.name(), "what needs it waits"))));
    }
    var isSaid = matters.stream().anyMatch(matter -> matter.level() == Level.DOWN);
    // That a server is down was said; that nothing gets through it goes without saying.
    for (var reason : reasons) {
      if (reason.code() == WaitReason.Code.SERVER_DOWN && isSaid) continue;
      matters.add(new Matter(reason.level(), reason.text()));
    }
    for (var role : roles) {
      var level = role.status().equals("starting") ? Level.BUSY : Level.WARN;
      for (var trouble : role.troubles()) matters.add(new Matter(level, trouble));
    }
    var worst = matters.stream().map(Matter::level).max(Comparator.naturalOrder());
    if (worst.isEmpty()) return well(roles, waiting, dead);
    var texts =
        matters.stream()
            .filter(matter -> matter.level() == worst.get())
            .map(Matter::text)
            .distinct()
            .toList();
    var more = texts.size() == 1 ? "" : " And %d more.".formatted(texts.size() - 1);
    var text = texts.getFirst();
    return new OverallHealth(worst.get(), capital(text) + (text.endsWith(".") ? "" : ".") + more);
  }

  private static OverallHealth well(List<Role> roles, long waiting, long dead) {
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
    var letters =
        dead == 0
            ? ""
            : " %d dead letter%s to look at."
                .formatted(dead, dead == 1 ? " is there" : "s are there");
    return waiting == 0
        ? new OverallHealth(
            Level.OK, "All is well: " + who + ", nothing waits." + without + letters)
        : new OverallHealth(Level.BUSY, "Work is under way: " + who + "." + without + letters);
  }

  // Names of machines and servers are written as they are.
  private static String capital(String text) {
    if (text.split(" ", 2)[0].matches(".*[.:\\d].*")) return text;
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
