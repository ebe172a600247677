package io.tidemill.dashboard.overview;

import io.tidemill.contract.Json;
import io.tidemill.store.redis.Presence;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a look found, as whoever watches sees it.
final class OverviewView {
  private static final List<String> ROLES =
      List.of("gateway", "crawler", "indexer", "collector", "processor", "worker");

  private final Snapshot found;
  private final RoleText texts;
  private final Rates rates;
  private final Map<Contract, Channel> rows = new EnumMap<>(Contract.class);
  private final Map<Contract, List<Reason>> reasons = new EnumMap<>(Contract.class);

  OverviewView(Snapshot found, Waits waits, Rates rates) {
    this.found = found;
    this.rates = rates;
    texts = new RoleText(found);
    var channels = new Channels(found, waits, rates);
    for (var contract : Contract.values()) {
      var channel = channels.of(contract);
      rows.put(contract, channel);
      reasons.put(contract, Reasons.of(channel, found.at()));
    }
  }

  ObjectNode tree(String version, String jobs) {
    var tree = Json.object().put("at", found.at()).put("version", version);
    var verdict = verdict();
    tree.putObject("verdict")
        .put("level", verdict.level().name().toLowerCase(Locale.ROOT))
        .put("text", verdict.text());
    tree.put("dead", found.dead().value() == null ? null : Long.valueOf(letters()));
    writeRoles(tree.putArray("roles"));
    writeServers(tree.putArray("servers"));
    writeContracts(tree.putArray("contracts"), jobs);
    writeStores(tree.putArray("stores"));
    return tree;
  }

  private Verdict verdict() {
    var roles = ROLES.stream().map(this::role).toList();
    var all = reasons.values().stream().flatMap(List::stream).toList();
    var waiting = rows.values().stream().mapToLong(Channel::waiting).sum();
    return Verdict.of(found.servers(), roles, all, waiting, letters());
  }

  private long letters() {
    var dead = found.dead().value();
    return dead == null ? 0 : dead.values().stream().mapToLong(n -> n).sum();
  }

  private Verdict.Role role(String name) {
    var troubles = new ArrayList<String>();
    var starting = new ArrayList<String>();
    var all = found.of(name);
    for (var seen : all) {
      var process = seen.process();
      var who = "%s (%s)".formatted(process.name(), String.join(", ", process.roles()));
      if (seen.isGone()) {
        troubles.add(
            "%s was last heard of %s ago: it was killed, or can't reach Redis"
                .formatted(who, Reasons.span(found.at() - seen.seenAt())));
        continue;
      }
      new TreeMap<>(process.checks())
          .forEach((check, state) -> {
            if (state.isUp() || !isOf(name, check)) return;
            if (process.isStarting()) starting.add(who + " is starting");
            else troubles.add("%s says of %s: %s".formatted(who, check, state.detail()));
          });
    }
    var alive = all.stream().anyMatch(seen -> !seen.isGone());
    var isKnown = found.processes().value() != null;
    if (!alive) return new Verdict.Role(name, "down", troubles);
    if (!troubles.isEmpty() || !isKnown) return new Verdict.Role(name, "partly", troubles);
    return new Verdict.Role(name, starting.isEmpty() ? "up" : "starting", starting);
  }

  // Several roles in one process share its checks, and each depends on some of them only.
  private static boolean isOf(String role, String check) {
    return switch (role) {
      case "gateway" -> List.of("redis", "kafka", "amqp", "crawls", "flows").contains(check);
      case "crawler" -> List.of("redis", "kafka", "amqp", "s3", "crawler").contains(check);
      case "indexer" -> List.of("amqp", "indexer").contains(check);
      case "collector" -> List.of("redis", "amqp", "s3", "analytics", "collector").contains(check);
      case "processor" -> List.of("redis", "kafka", "s3", "analytics", "processor").contains(check);
      default -> check.equals("redis");
    };
  }

  private void writeRoles(ArrayNode out) {
    for (var name : ROLES) {
      var row = out.addObject().put("name", name).put("status", role(name).status());
      var processes = row.putArray("processes");
      found.of(name).forEach(seen -> write(seen, processes.addObject()));
      row.put("text", texts.of(name));
    }
  }

  private static void write(Presence.Seen seen, ObjectNode out) {
    var process = seen.process();
    out.put("id", process.id())
        .put("host", process.host())
        .put("pid", process.pid())
        .put("version", process.version());
    var roles = out.putArray("roles");
    process.roles().forEach(roles::add);
    out.put("startedAt", process.startedAt())
        .put("seenAt", seen.seenAt())
        .put("gone", seen.isGone());
    var checks = out.putObject("checks");
    new TreeMap<>(process.checks())
        .forEach((name, check) ->
            checks
                .putObject(name)
                .put("status", check.isUp() ? "up" : process.isStarting() ? "starting" : "down")
                .put("detail", check.detail()));
  }

  private void writeServers(ArrayNode out) {
    for (var server : found.servers()) {
      out.addObject()
          .put("name", server.name())
          .put("status", server.status())
          .put("detail", server.detail())
          .put("address", server.address());
    }
  }

  private void writeContracts(ArrayNode out, String jobs) {
    for (var contract : Contract.values()) {
      var channel = Objects.requireNonNull(rows.get(contract));
      var row =
          out.addObject()
              .put("id", contract.id)
              .put("channel", contract == Contract.JOBS ? jobs : contract.channel)
              .put("carrier", contract.carrier.wire())
              .put("from", contract.from)
              .put("to", contract.to)
              .put("rate", rounded(rates.rate(Counters.in(contract))))
              .put("doneRate", rounded(channel.doneRate()))
              .put("depth", channel.depth())
              .put("running", channel.running())
              .put("oldestMs", age(channel))
              .put("dead", dead(channel))
              .put("errors", rounded(rates.rate(Counters.errors(contract))))
              .put("consumers", channel.trouble() == null ? channel.consumers() : null);
      if (contract == Contract.CRAWL_REQUESTS) {
        var look = found.frontier().value();
        row.put("pages", look == null ? null : Long.valueOf(Math.max(0, look.open())));
      }
      var why = row.putArray("why");
      for (var reason : Objects.requireNonNull(reasons.get(contract))) {
        why.addObject()
            .put("code", reason.code().name())
            .put("text", reason.text())
            .put("until", reason.until());
      }
    }
  }

  private @Nullable Long age(Channel channel) {
    var oldest = channel.oldest();
    return oldest == null || channel.waiting() == 0
        ? null
        : Long.valueOf(Math.max(0, found.at() - oldest));
  }

  private @Nullable Long dead(Channel channel) {
    var dead = found.dead().value();
    if (dead == null || channel.trouble() != null) return null;
    return dead.get(channel.contract().channel);
  }

  private static @Nullable Double rounded(@Nullable Double rate) {
    return rate == null ? null : Double.valueOf(Math.round(rate * 10) / 10.0);
  }

  private void writeStores(ArrayNode out) {
    for (var store : found.stores()) {
      var row = out.addObject().put("name", store.name());
      store.figures().forEach(row::put);
    }
  }
}
