package io.tidemill.kafka;

import io.tidemill.config.Renaming;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.util.ArrayList;
import java.util.List;

/// How to reach Kafka, read from keys `kafka.*`.
@Section("kafka")
public record KafkaConfig(
    @Setting(value = "", doc = "Kafka brokers as host:port,host:port; empty = a local server.")
        String bootstrap,
    @Setting(value = "1", doc = "Copies of each topic that is made here.") int replication,
    @Setting(
            value = "",
            doc =
                "Consumer groups that have another name on this broker, as `crawl-workers=acme-crawlers`; the same in all processes.")
        List<String> groups) {
  public KafkaConfig {
    if (replication < 1) {
      throw new IllegalArgumentException(
          "kafka.replication is " + replication + ": expected at least 1");
    }
    groups = List.copyOf(groups);
    var _ = new Renaming("kafka.groups", groups);
  }

  /// With the contracts' names.
  public KafkaConfig(String bootstrap, int replication) {
    this(bootstrap, replication, List.of());
  }

  /// The same with the address of a server that was started here.
  public KafkaConfig withBootstrap(String address) {
    return new KafkaConfig(address, replication, groups);
  }

  /// The same with another name for a group, unless the settings name one.
  public KafkaConfig withGroup(String group, String name) {
    if (groupNames().has(group)) return this;
    var more = new ArrayList<>(groups);
    more.add(group + "=" + name);
    return new KafkaConfig(bootstrap, replication, more);
  }

  /// What groups are called on this broker.
  public Renaming groupNames() {
    return new Renaming("kafka.groups", groups);
  }
}
