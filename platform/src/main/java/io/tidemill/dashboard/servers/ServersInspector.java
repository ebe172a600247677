package io.tidemill.dashboard.servers;

import io.tidemill.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Asks all servers at once how they are; one that does not answer in time is down, and holds up
/// nobody else's answer. It is not asked again before it has answered or failed, however many want
/// to know.
final class ServersInspector {
  private static final Logger log = LoggerFactory.getLogger(ServersInspector.class);
  private static final int LONGEST = 300;

  /// Tells of one server.
  interface Report {
    /// Throws when the server does not answer.
    void write(ObjectNode out);
  }

  private final Map<String, Report> reports;
  private final Duration limit;
  private final Map<String, FutureTask<ObjectNode>> asked = new ConcurrentHashMap<>();

  /// @param reports by name, in the order of the answer
  ServersInspector(Map<String, Report> reports, Duration limit) {
    this.reports = new LinkedHashMap<>(reports);
    this.limit = limit;
  }

  /// What stands for a server that this process has nothing to do with.
  static Report off(String why) {
    return out -> out.put("status", "off").put("detail", why);
  }

  ObjectNode ask() {
    var deadline = System.nanoTime() + limit.toNanos();
    var answers = new LinkedHashMap<String, Future<ObjectNode>>();
    reports.forEach((name, report) ->
        answers.put(
            name,
            asked.compute(
                name, (_, last) -> last == null || last.isDone() ? ask(name, report) : last)));
    var all = Json.object();
    answers.forEach((name, answer) -> all.set(name, await(name, answer, deadline)));
    return all;
  }

  private static FutureTask<ObjectNode> ask(String name, Report report) {
    var question =
        new FutureTask<>(() -> {
          var out = Json.object().put("status", "up").put("detail", "");
          report.write(out);
          return out;
        });
    Thread.ofVirtual().name("how is " + name).start(question);
    return question;
  }

  private static ObjectNode await(String name, Future<ObjectNode> answer, long deadline) {
    try {
      return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      return down("it does not answer in time");
    } catch (ExecutionException failed) {
      log.debug("no word from {}", name, failed.getCause());
      var cause = failed.getCause();
      return down(reason(cause == null ? failed : cause));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return down("the gateway is stopping");
    }
  }

  private static String reason(Throwable failure) {
    var said = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return said.length() > LONGEST ? said.substring(0, LONGEST) + "…" : said;
  }

  private static ObjectNode down(String why) {
    return Json.object().put("status", "down").put("detail", why);
  }
}
