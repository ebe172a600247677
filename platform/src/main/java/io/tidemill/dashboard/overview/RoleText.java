package io.tidemill.dashboard.overview;

import java.util.Locale;

/// A short text on the processes of a role.
final class RoleText {
  private final OverviewSnapshot found;

  RoleText(OverviewSnapshot found) {
    this.found = found;
  }

  String of(String role) {
    var alive = found.of(role).stream().filter(seen -> !seen.isGone()).count();
    var gone = found.of(role).size() - alive;
    if (found.processes().value() == null) return "Redis does not answer: nobody knows who runs";
    if (alive == 0 && gone == 0) return "no process. Start one: ./tidemill run " + role;
    if (alive == 0)
      return "no process left: it fell silent. Start it again: ./tidemill run " + role;
    var text = alive == 1 ? "1 process" : alive + " processes";
    var doing =
        switch (role) {
          case "crawler" -> count("crawler.visits") + " pages in flight";
          case "worker" ->
              count("worker.jobs.running") + " of " + count("worker.slots") + " slots in use";
          case "processor" ->
              "%d workflows and %d tasks run"
                  .formatted(count("flow.running:workflow"), count("flow.running:task"));
          case "indexer" -> idle(ContractChannels.PAGES, "page");
          case "collector" -> idle(ContractChannels.COLLECTED, "batch");
          default -> "";
        };
    return text
        + (doing.isEmpty() ? "" : ", " + doing)
        + (gone > 0 ? ", " + gone + " fell silent" : "");
  }

  private String idle(ContractChannels contract, String what) {
    var name = ProcessFigures.name("amqp.idle.ms", contract.channel);
    var least =
        found.of(contract.to).stream()
            .filter(seen -> !seen.isGone())
            .map(seen -> seen.process().figures().get(name))
            .filter(value -> value != null)
            .mapToDouble(value -> value)
            .min();
    return least.isEmpty()
        ? "no %s since it started".formatted(what)
        : String.format(
            Locale.ROOT, "last %s %s ago", what, WaitReasons.span((long) least.getAsDouble()));
  }

  private long count(String figure) {
    return (long) found.figure(figure);
  }
}
