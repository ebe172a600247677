package io.tidemill.collector;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.analytics.BatchStore;
import io.tidemill.analytics.BatchStore.StoredBatch;
import io.tidemill.analytics.CollectedBatch;
import io.tidemill.contract.collected.AnalyzeResult;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.trace.MessageSamples;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells others what became of a batch, if anybody is to be told: `analyze.result`, once for each
/// batch unless we die at that very moment; then again under the same message id.
final class ResultPublisher {
  private static final Logger log = LoggerFactory.getLogger(ResultPublisher.class);

  private final String exchange;
  private final AmqpPublisher publisher;
  private final BatchStore store;
  private final MessageSamples samples;
  private final ReentrantLock publishing = new ReentrantLock();

  /// @param exchange empty when nobody is to be told
  ResultPublisher(
      String exchange, AmqpPublisher publisher, BatchStore store, MessageSamples samples) {
    this.exchange = exchange;
    this.publisher = publisher;
    this.store = store;
    this.samples = samples;
  }

  /// @param project as the batch's message named it
  /// @throws AmqpException when the broker does not take it
  void publish(String project, CollectedBatch batch, StoredBatch stored) {
    if (exchange.isEmpty() || stored.announced()) return;
    // The same batch may be at hand twice, announced by two messages.
    publishing.lock();
    try {
      var isTold = store.find(batch.key()).map(StoredBatch::announced).orElse(false);
      if (!isTold) tell(project, batch, stored);
    } finally {
      publishing.unlock();
    }
  }

  private void tell(String project, CollectedBatch batch, StoredBatch stored) {
    var result = new AnalyzeResult(project, batch.jobId(), stored.items(), stored.failed());
    try {
      publisher.publish(
          new OutgoingMessage(
              exchange,
              CollectedNames.RESULT_KEY,
              result.json(),
              Map.of(),
              batch.key() + "-" + stored.etag().replace("\"", ""),
              "application/json",
              null));
    } catch (AmqpException refused) {
      if (!refused.isUnroutable()) throw refused;
      log.warn("no queue is bound to {} for {}", exchange, CollectedNames.RESULT_KEY);
      return;
    }
    samples.offer(CollectedNames.RESULT, exchange, Map.of(), result.json());
    store.announced(batch.key());
  }
}
