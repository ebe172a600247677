package io.tidemill.app.wiring;

import io.tidemill.config.Settings;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.sql.AnalyticsConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The servers that the roles of a process talk to; all of them talk to Redis.
public final class ServerNeeds {
  private final Set<Role> roles;
  private final boolean batches;
  private final boolean postgres;

  public ServerNeeds(Set<Role> roles, Settings settings) {
    this.roles = Set.copyOf(roles);
    batches = settings.section(CrawlerConfig.class).batches();
    postgres = settings.section(AnalyticsConfig.class).isPostgres();
  }

  public boolean kafka() {
    return has(Role.GATEWAY, Role.CRAWLER, Role.PROCESSOR);
  }

  public boolean amqp() {
    return has(Role.GATEWAY, Role.CRAWLER, Role.INDEXER, Role.COLLECTOR, Role.PROCESSOR);
  }

  public boolean s3() {
    return has(Role.COLLECTOR, Role.PROCESSOR) || (batches && has(Role.CRAWLER));
  }

  /// Whether one of them can do nothing before PostgreSQL answers.
  public boolean postgres() {
    return postgres && has(Role.COLLECTOR, Role.PROCESSOR);
  }

  private boolean has(Role... some) {
    return !Collections.disjoint(roles, List.of(some));
  }

  /// What is left of the endpoints: those that none of the roles uses are empty.
  Endpoints of(Endpoints all) {
    var seesStore = s3() || has(Role.GATEWAY); // whose dashboard shows it
    return new Endpoints(
        kafka() ? all.kafka() : all.kafka().withBootstrap(""),
        all.redis(),
        amqp() ? all.amqp() : all.amqp().withUrl(""),
        seesStore ? all.s3() : all.s3().withEndpoint(""));
  }

  /// A line for each address that is empty and can't be. A gateway does without Kafka and AMQP:
  /// then it has no crawls and workflows, and no search.
  public List<String> missing(Endpoints all) {
    var missing = new ArrayList<String>();
    add(missing, all.redis().url(), "redis.url", "redis://host:port", roles);
    var workers = EnumSet.copyOf(roles);
    workers.remove(Role.GATEWAY);
    add(
        missing,
        all.kafka().bootstrap(),
        "kafka.bootstrap",
        "host:port",
        only(workers, Role.CRAWLER, Role.PROCESSOR));
    add(
        missing,
        all.amqp().url(),
        "amqp.url",
        "amqp://host:port",
        only(workers, Role.CRAWLER, Role.INDEXER, Role.COLLECTOR, Role.PROCESSOR));
    add(
        missing,
        all.s3().endpoint(),
        "s3.endpoint",
        "http://host:port",
        only(workers, batches ? Role.CRAWLER : null, Role.COLLECTOR, Role.PROCESSOR));
    return missing;
  }

  private static Set<Role> only(Set<Role> some, @Nullable Role... those) {
    var left = EnumSet.noneOf(Role.class);
    for (var role : those) {
      if (role != null && some.contains(role)) left.add(role);
    }
    return left;
  }

  private static void add(
      List<String> missing, String value, String key, String form, Set<Role> users) {
    if (!value.isEmpty() || users.isEmpty()) return;
    missing.add(
        "%s is empty: `run` starts no servers and %s needs it, expected %s (for those of a running `up`: eval \"$(./tidemill env)\")"
            .formatted(key, Role.wires(users), form));
  }
}
