package io.tidemill.dashboard.servers;

import io.tidemill.amqp.inspect.QueueInspector;
import io.tidemill.config.Renaming;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.inspect.ClusterInspector.Cluster;
import io.tidemill.kafka.inspect.ClusterInspector.GroupState;
import io.tidemill.kafka.inspect.ClusterInspector.TopicState;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisInspector;
import io.tidemill.redis.stream.StreamInspector;
import io.tidemill.search.index.IndexStats;
import io.tidemill.search.passage.PassageStats;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The state of each server as JSON.
final class ServerReport {
  private ServerReport() {}

  static void kafka(Cluster cluster, KafkaConfig names, ObjectNode out) {
    var count = cluster.brokers().size();
    out.put("detail", count == 1 ? "1 broker" : count + " brokers");
    var brokers = out.putArray("brokers");
    for (var broker : cluster.brokers()) {
      brokers.addObject().put("id", broker.id()).put("host", broker.host());
    }
    var topics = out.putArray("topics");
    for (var topic : cluster.topics()) {
      var groups = cluster.groups().getOrDefault(topic.name(), List.of());
      topic(topic, groups, names, topics.addObject());
    }
  }

  // Links have the contract's name, people look for the other one.
  private static void serverName(String name, String onServer, ObjectNode out) {
    if (!name.equals(onServer)) out.put("serverName", onServer);
  }

  private static void topic(
      TopicState topic, List<GroupState> states, KafkaConfig names, ObjectNode out) {
    out.put("name", topic.name());
    serverName(topic.name(), names.topicNames().name(topic.name()), out);
    var partitions = out.putArray("partitions");
    for (var part : topic.partitions()) {
      partitions
          .addObject()
          .put("partition", part.partition())
          .put("begin", part.begin())
          .put("end", part.end())
          .put("leader", part.leader())
          .put("inSync", part.inSync());
    }
    out.put("messages", topic.messages()).put("bytes", topic.bytes());
    var groups = out.putArray("groups");
    for (var group : states) {
      var each =
          groups
              .addObject()
              .put("group", group.group())
              .put("lag", group.lag())
              .put("members", group.members());
      serverName(group.group(), names.groupNames().name(group.group()), each);
    }
  }

  /// The queues of the platform that exist.
  static void queues(QueueInspector inspector, Renaming names, ObjectNode out) {
    var queues = out.putArray("queues");
    ServerChannels.queues()
        .forEach((name, kind) ->
            inspector
                .depth(name)
                .ifPresent(depth -> {
                  var queue =
                      queues
                          .addObject()
                          .put("name", name)
                          .put("messages", depth.messages())
                          .put("consumers", depth.consumers())
                          .put("kind", kind);
                  serverName(name, names.name(name), queue);
                }));
    out.put("detail", queues.size() + " queues of ours");
  }

  static void redis(Redis redis, List<String> names, StreamInspector inspector, ObjectNode out) {
    var info = RedisInspector.of(redis);
    out.put("detail", "Redis " + info.version())
        .put("version", info.version())
        .put("memory", info.memory())
        .put("memoryShare", info.memoryShare())
        .put("clients", info.clients())
        .put("opsPerSecond", info.opsPerSecond());
    var streams = out.putArray("streams");
    for (var name : names) {
      var state = inspector.state(name).orElse(null);
      if (state != null) serverName(name, redis.onServer(name), stream(state, streams));
    }
  }

  private static ObjectNode stream(StreamInspector.State state, ArrayNode streams) {
    var out = streams.addObject().put("name", state.name()).put("length", state.length());
    var groups = out.putArray("groups");
    for (var group : state.groups()) {
      groups
          .addObject()
          .put("name", group.name())
          .put("consumers", group.consumers())
          .put("pending", group.pending())
          .put("lag", group.lag());
    }
    return out;
  }

  static void buckets(List<String> names, String endpoint, ObjectNode out) {
    out.put("detail", endpoint);
    var buckets = out.putArray("buckets");
    names.forEach(buckets::add);
  }

  static void index(IndexStats stats, ObjectNode out) {
    out.put("documents", stats.documents()).put("bytes", stats.bytes());
    if (stats.committedAt() == null) out.putNull("committedAt");
    else out.put("committedAt", stats.committedAt().toEpochMilli());
  }

  static void vectors(PassageStats stats, ObjectNode out) {
    out.put("passages", stats.passages()).put("behind", stats.behind());
  }
}
