package io.tidemill.dashboard.recordsearch;

import io.tidemill.amqp.inspect.DeadQueueReader;
import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisLock;
import io.tidemill.workflow.WorkflowsConfig;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// The sources of the record index.
///
/// @param kafka without an address, workflows, tasks and crawls are not indexed
/// @param queues queues of dead letters
public record RecordSources(
    Redis redis,
    JobsConfig jobs,
    WorkflowsConfig flows,
    KafkaConfig kafka,
    List<DeadQueue> queues) {
  public RecordSources {
    queues = List.copyOf(queues);
  }

  /// One queue of dead letters.
  ///
  /// @param source the original queue
  /// @param depth the number of dead letters, as far as is known; must not block
  public record DeadQueue(String source, DeadQueueReader reader, Supplier<OptionalLong> depth) {}

  /// Opens a feed at its checkpoint.
  @FunctionalInterface
  interface Opening {
    RecordFeed open(Map<String, String> checkpoint, RecordIndex index);
  }

  // By the prefix of their checkpoints. The feed that can wait for changes comes last.
  Map<String, Opening> feeds(int keep, InstantSource clock) {
    var feeds = new LinkedHashMap<String, Opening>();
    feeds.put("jobs", (checkpoint, index) -> new JobFeed(redis, jobs, checkpoint, index));
    var dead = new DeadJobStore(redis, jobs, clock);
    feeds.put("dead-jobs", (checkpoint, index) -> new DeadJobFeed(dead, checkpoint, index));
    for (var queue : queues) {
      feeds.put(
          "dead-" + queue.source(),
          (_, index) ->
              new DeadQueueFeed(
                  queue.source(), queue.reader(), queue.depth(), new RedisLock(redis), index));
    }
    if (!kafka.bootstrap().isEmpty()) {
      feeds.put(
          "kafka",
          (checkpoint, index) -> new TopicFeed(kafka, redis, flows, keep, checkpoint, index));
    }
    return feeds;
  }
}
