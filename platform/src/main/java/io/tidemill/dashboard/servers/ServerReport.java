package io.tidemill.dashboard.servers;

import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.kafka.inspect.ClusterInspector.Cluster;
import io.tidemill.kafka.inspect.ClusterInspector.TopicState;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisInspector;
import io.tidemill.redis.stream.StreamInspector;
import io.tidemill.search.index.IndexStats;
import io.tidemill.search.passage.PassageStats;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What each server told, as JSON.
final class ServerReport {
  private ServerReport() {}

  static void kafka(Cluster cluster, ObjectNode out) {
    var count = cluster.brokers().size();
    out.put("detail", count == 1 ? "1 broker" : count + " brokers");
    var brokers = out.putArray("brokers");
    for (var broker : cluster.brokers()) {
      brokers.addObject().put("id", broker.id()).put("host", broker.host());
    }
    var topics = out.putArray("topics");
    for (var topic : cluster.topics()) topic(topic, topics.addObject());
  }

  private static void topic(TopicState topic, ObjectNode out) {
    out.put("name", topic.name());
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
    for (var group : topic.groups()) {
      groups
          .addObject()
          .put("group", group.group())
          .put("lag", group.lag())
          .put("members", group.members());
    }
  }

  /// Those of our queues that there are.
  static void queues(QueueMeters depths, ObjectNode out) {
    var queues = out.putArray("queues");
    ServerChannels.queues()
        .forEach((name, kind) ->
            depths
                .depth(name)
                .ifPresent(depth ->
                    queues
                        .addObject()
                        .put("name", name)
                        .put("messages", depth.messages())
                        .put("consumers", depth.consumers())
                        .put("kind", kind)));
    out.put("detail", queues.size() + " queues of ours");
  }

  static void redis(Redis redis, List<String> names, StreamInspector peek, ObjectNode out) {
    var told = RedisInspector.of(redis);
    out.put("detail", "Redis " + told.version())
        .put("version", told.version())
        .put("memory", told.memory())
        .put("memoryShare", told.memoryShare())
        .put("clients", told.clients())
        .put("opsPerSecond", told.opsPerSecond());
    var streams = out.putArray("streams");
    for (var name : names) peek.state(name).ifPresent(state -> stream(state, streams));
  }

  private static void stream(StreamInspector.State state, ArrayNode streams) {
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
