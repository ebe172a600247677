package io.tidemill.dashboard.overview;

import io.tidemill.deadletter.source.PageDeadLetters;
import io.tidemill.json.Json;
import io.tidemill.presence.PresenceStore;
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

/// The overview as JSON.
final class OverviewView {
  private static final List<String> ROLES =
      List.of("gateway", "crawler", "indexer", "collector", "processor", "worker");

  private final OverviewSnapshot found;
  private final RoleText texts;
  private final CounterRates rates;
  private final Map<ContractChannels, ChannelState> rows = new EnumMap<>(ContractChannels.class);
  private final Map<ContractChannels, List<WaitReason>> reasons =
      new EnumMap<>(ContractChannels.class);

  OverviewView(OverviewSnapshot found, HiddenBacklog backlog, CounterRates rates) {
    this.found = found;
    this.rates = rates;
    texts = new RoleText(found);
    var channels = new ChannelStates(found, backlog, rates);
    for (var contract : ContractChannels.values()) {
      var channel = channels.of(contract);
      rows.put(contract, channel);
      var why = new ArrayList<WaitReason>();
      if (contract == ContractChannels.PAGES) why.addAll(IndexReasons.of(found.alive()));
      why.addAll(WaitReasons.of(channel, found.at()));
      reasons.put(contract, why);
    }
  }

  ObjectNode tree(String version, String jobs) {
    var tree = Json.object().put("at", found.at()).put("version", version);
    var health = health();
    tree.putObject("verdict")
        .put("level", health.level().name().toLowerCase(Locale.ROOT))
        .put("text", health.text());
    var dead = found.dead().value();
    tree.put("dead", dead == null ? null : Long.valueOf(deadLetters()));
    tree.put("deadPages", dead == null ? null : dead.get(PageDeadLetters.NAME));
    writeRoles(tree.putArray("roles"));
    writeServers(tree.putArray("servers"));
    writeContracts(tree.putArray("contracts"), jobs);
    writeStores(tree.putArray("stores"));
    return tree;
  }

  private OverallHealth health() {
    var roles = ROLES.stream().map(this::role).toList();
    var all = reasons.values().stream().flatMap(List::stream).toList();
    var waiting = rows.values().stream().mapToLong(ChannelState::waiting).sum();
    return OverallHealth.of(found.servers(), roles, all, waiting, deadLetters());
  }

  private long deadLetters() {
    var dead = found.dead().value();
    return dead == null ? 0 : dead.values().stream().mapToLong(n -> n).sum();
  }

  private OverallHealth.Role role(String name) {
    var problems = new ArrayList<String>();
    var starting = new ArrayList<String>();
    var all = found.of(name);
    for (var seen : all) {
      var process = seen.process();
      var title = "%s (%s)".formatted(process.name(), String.join(", ", process.roles()));
      if (seen.isGone()) {
        problems.add(
            "%s was last heard of %s ago: it was killed, or can't reach Redis"
                .formatted(title, WaitReasons.span(found.at() - seen.seenAt())));
        continue;
      }
      new TreeMap<>(process.checks())
          .forEach((check, state) -> {
            if (state.isUp() || !isOf(name, check)) return;
            if (process.isStarting()) starting.add(title + " is starting");
            else problems.add("%s says of %s: %s".formatted(title, check, state.detail()));
          });
    }
    var alive = all.stream().anyMatch(seen -> !seen.isGone());
    var isKnown = found.processes().value() != null;
    if (!alive) return new OverallHealth.Role(name, "down", problems);
    if (!problems.isEmpty() || !isKnown) return new OverallHealth.Role(name, "partly", problems);
    return new OverallHealth.Role(name, starting.isEmpty() ? "up" : "starting", starting);
  }

  // Roles in one process share its checks, and each depends on some of them only.
  private static boolean isOf(String role, String check) {
    return switch (role) {
      case "gateway" ->
          List.of("redis", "kafka", "amqp", "index", "crawls", "flows").contains(check);
      case "crawler" -> List.of("redis", "kafka", "amqp", "s3", "crawler").contains(check);
      case "indexer" -> List.of("amqp", "indexer").contains(check);
      case "collector" -> List.of("redis", "amqp", "s3", "analytics", "collector").contains(check);
      case "processor" ->
          List.of("redis", "kafka", "s3", "index", "analytics", "processor").contains(check);
      default -> List.of("redis", "index").contains(check);
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

  private static void write(PresenceStore.Seen seen, ObjectNode out) {
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
    for (var contract : ContractChannels.values()) {
      var channel = Objects.requireNonNull(rows.get(contract));
      var row =
          out.addObject()
              .put("id", contract.id)
              .put("channel", contract == ContractChannels.JOBS ? jobs : contract.channel)
              .put("carrier", contract.carrier.wire())
              .put("from", contract.from)
              .put("to", contract.to)
              .put("rate", rounded(rates.rate(ChannelCounters.in(contract))))
              .put("doneRate", rounded(channel.doneRate()))
              .put("depth", channel.depth())
              .put("running", channel.running())
              .put("oldestMs", age(channel))
              .put("dead", dead(channel))
              .put("errors", rounded(rates.rate(ChannelCounters.errors(contract))))
              .put("consumers", channel.problem() == null ? channel.consumers() : null);
      if (contract == ContractChannels.CRAWL_REQUESTS) {
        var frontier = found.frontier().value();
        row.put("pages", frontier == null ? null : Long.valueOf(Math.max(0, frontier.open())));
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

  private @Nullable Long age(ChannelState channel) {
    var oldest = channel.oldest();
    return oldest == null || channel.waiting() == 0
        ? null
        : Long.valueOf(Math.max(0, found.at() - oldest));
  }

  private @Nullable Long dead(ChannelState channel) {
    var dead = found.dead().value();
    if (dead == null || channel.problem() != null) return null;
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
