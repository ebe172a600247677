package io.tidemill.dashboard.servers;

import io.tidemill.json.Json;
import io.tidemill.observe.Probe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Probes all servers at once; one that does not answer in time is down and delays no other.
final class ServersInspector {
  private static final int LONGEST = 300;

  /// Describes one server.
  interface Report {
    /// Throws when the server does not answer.
    void write(ObjectNode out);
  }

  private final Map<String, Probe<ObjectNode>> probes = new LinkedHashMap<>();
  private final Duration limit;

  /// @param reports by name, in the order of the answer
  ServersInspector(Map<String, Report> reports, Duration limit) {
    this.limit = limit;
    reports.forEach((name, report) -> probes.put(name, Probe.of(Duration.ZERO, () -> up(report))));
  }

  private static ObjectNode up(Report report) {
    var out = Json.object().put("status", "up").put("detail", "");
    report.write(out);
    return out;
  }

  /// The report of a server that this process does not use.
  static Report off(String why) {
    return out -> out.put("status", "off").put("detail", why);
  }

  ObjectNode inspect() {
    var deadline = System.nanoTime() + limit.toNanos();
    probes.values().forEach(Probe::ask);
    var all = Json.object();
    probes.forEach((name, probe) -> all.set(name, await(probe, deadline)));
    return all;
  }

  private static ObjectNode await(Probe<ObjectNode> probe, long deadline) {
    try {
      var found = probe.await(deadline);
      if (found == null) return down("it does not answer in time");
      return found.value() == null ? down(found.problem()) : found.value();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return down("the gateway is stopping");
    }
  }

  private static ObjectNode down(String why) {
    var detail = why.length() > LONGEST ? why.substring(0, LONGEST) + "…" : why;
    return Json.object().put("status", "down").put("detail", detail);
  }
}
