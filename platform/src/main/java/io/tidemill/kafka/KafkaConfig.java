package io.tidemill.kafka;

import io.tidemill.config.Renaming;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
        List<String> groups,
    @Setting(
            value = "",
            doc =
                "Topics that have another name on this broker, as `workflows=acme.workflows`, their dead letters with them in `acme.workflows.dead`; the same in all processes.")
        List<String> topics) {
  // Kafka takes 249 characters; a topic's dead letters have a suffix.
  private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,244}");

  // Kafka's own form of an address, a protocol in front allowed.
  private static final Pattern BROKER =
      Pattern.compile("(?:[A-Za-z_]+://)?(?:\\[[0-9A-Fa-f:.%]+\\]|[^\\s/:@\\[\\]]+):([0-9]{1,5})");

  public KafkaConfig {
    if (replication < 1) {
      throw new IllegalArgumentException(
          "kafka.replication is " + replication + ": expected at least 1");
    }
    if (!bootstrap.isEmpty()) checkBrokers(bootstrap);
    groups = List.copyOf(groups);
    topics = List.copyOf(topics);
    var _ = new Renaming("kafka.groups", groups);
    new Renaming("kafka.topics", topics)
        .require(
            TOPIC.asMatchPredicate(),
            "expected up to 244 letters, digits, dots, underscores and hyphens");
  }

  private static void checkBrokers(String bootstrap) {
    for (var broker : bootstrap.split(",", -1)) {
      var parts = BROKER.matcher(broker.strip());
      if (!parts.matches() || Integer.parseInt(parts.group(1)) > 65_535) {
        throw new IllegalArgumentException(
            "kafka.bootstrap is '" + bootstrap + "': expected host:port,host:port");
      }
    }
  }

  /// The brokers, each as host:port.
  public List<String> brokers() {
    return Stream.of(bootstrap.split(",", -1)).map(String::strip).toList();
  }

  /// With the contracts' names.
  public KafkaConfig(String bootstrap, int replication) {
    this(bootstrap, replication, List.of(), List.of());
  }

  /// The same with the address of a server that was started here.
  public KafkaConfig withBootstrap(String address) {
    return new KafkaConfig(address, replication, groups, topics);
  }

  /// The same with another name for a group, unless the settings name one.
  public KafkaConfig withGroup(String group, String name) {
    if (groupNames().has(group)) return this;
    var more = new ArrayList<>(groups);
    more.add(group + "=" + name);
    return new KafkaConfig(bootstrap, replication, more, topics);
  }

  /// The same with other names for topics.
  public KafkaConfig withTopics(List<String> pairs) {
    return new KafkaConfig(bootstrap, replication, groups, pairs);
  }

  /// What groups are called on this broker.
  public Renaming groupNames() {
    return new Renaming("kafka.groups", groups);
  }

  /// What topics are called on this broker.
  public Renaming topicNames() {
    return new Renaming("kafka.topics", topics);
  }
}
