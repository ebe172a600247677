package io.tidemill.deadletter;

import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.schema.SchemaViolation;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What came of the attempt to send one dead letter back where it came from.
public sealed interface RedriveResult {
  /// It is on its way, or works already.
  sealed interface Sent extends RedriveResult {
    /// Where it is now, in one line.
    String destination();
  }

  /// @param id of the dead letter, here and below
  record SentToTopic(String id, String topic, int partition, long offset) implements Sent {
    @Override
    public String destination() {
      return topic + "-" + partition + "@" + offset;
    }
  }

  record SentToQueue(String id, String queue) implements Sent {
    @Override
    public String destination() {
      return "queue " + queue;
    }
  }

  record JobCreated(String id, String jobId) implements Sent {
    @Override
    public String destination() {
      return "job " + jobId;
    }
  }

  /// The dead letter was the task itself.
  record TaskRestarted(String taskId) implements Sent {
    @Override
    public String destination() {
      return "task " + taskId;
    }
  }

  /// @param document the crawl as clients see it
  record CrawlStarted(String crawlId, ObjectNode document) implements Sent {
    @Override
    public String destination() {
      return "crawl " + crawlId;
    }
  }

  /// It stays where it is.
  sealed interface Refusal extends RedriveResult {
    String why();
  }

  /// It was redriven or discarded before, and nobody asked for a second time.
  record HandledBefore(Note note) implements Refusal {
    @Override
    public String why() {
      return switch (note.how()) {
        case REDRIVEN -> "it was redriven at %s; again=true does it once more".formatted(note.at());
        case DISCARDED ->
            "it was discarded at %s; again=true redrives it all the same".formatted(note.at());
      };
    }
  }

  /// It was there a moment ago.
  record Gone(String why) implements Refusal {
    public Gone() {
      this("it is no longer there");
    }
  }

  /// Changed as asked for it breaks its contract.
  ///
  /// @param violations at least one
  record SchemaMismatch(List<SchemaViolation> violations) implements Refusal {
    public SchemaMismatch {
      violations = List.copyOf(violations);
    }

    @Override
    public String why() {
      return "it does not fit its contract: " + violations.getFirst().text();
    }
  }

  /// As it is it can never be sent.
  record Impossible(String why) implements Refusal {}

  /// The broker does not take messages of this size.
  record TooLarge(String why) implements Refusal {}

  /// The queue that it came from does not exist any more.
  record NoQueue(String queue) implements Refusal {
    @Override
    public String why() {
      return "there is no queue " + queue + " to go back to; it stays dead";
    }
  }

  /// Somebody else has changed it: its task is dead no longer.
  record NotDead(String status, String why) implements Refusal {}

  /// Somebody else is at it; over in a moment.
  record Busy(String why) implements Refusal {}

  /// Its owner may have no more of them for some time.
  record OverQuota(String why, Duration retryAfter) implements Refusal {}
}
