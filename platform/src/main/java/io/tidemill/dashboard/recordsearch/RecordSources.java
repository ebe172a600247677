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

/// Where the things come from that can be found.
///
/// @param kafka without an address there are no workflows, tasks and crawls
/// @param queues dead letters of AMQP
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
  /// @param source the queue whose messages died
  /// @param depth how many letters there are, as far as is known; must cost nothing
  public record DeadQueue(String source, DeadQueueReader letters, Supplier<OptionalLong> depth) {}

  /// Opens a feed where it was, as its marks tell.
  @FunctionalInterface
  interface Opening {
    RecordFeed open(Map<String, String> marks, RecordIndex index);
  }

  // By the name under which the marks are kept. What can wait for news comes last.
  Map<String, Opening> feeds(int keep, InstantSource clock) {
    var feeds = new LinkedHashMap<String, Opening>();
    feeds.put("jobs", (marks, index) -> new JobFeed(redis, jobs, marks, index));
    var dead = new DeadJobStore(redis, jobs, clock);
    feeds.put("dead-jobs", (marks, index) -> new DeadJobFeed(dead, marks, index));
    for (var queue : queues) {
      feeds.put(
          "dead-" + queue.source(),
          (_, index) ->
              new DeadQueueFeed(
                  queue.source(), queue.letters(), queue.depth(), new RedisLock(redis), index));
    }
    if (!kafka.bootstrap().isEmpty()) {
      feeds.put("kafka", (marks, index) -> new TopicFeed(kafka, redis, flows, keep, marks, index));
    }
    return feeds;
  }
}
