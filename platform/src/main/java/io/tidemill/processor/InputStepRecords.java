package io.tidemill.processor;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.processor.input.InputSources;
import io.tidemill.processor.record.RecordStore;
import io.tidemill.s3.S3Exception;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Records from the sources that inputs name; between two steps they are in the record store.
record InputStepRecords(InputSources inputs, RecordStore store) implements StepRecords {
  private static final Logger log = LoggerFactory.getLogger(InputStepRecords.class);

  @Override
  public Records input(ObjectNode input) throws WorkFailure {
    return inputs.of(input);
  }

  @Override
  public RecordWriter writer(String id) {
    return store.writer(id);
  }

  @Override
  public ObjectNode encode(String id, Records records) throws IOException {
    return store.encode(store.keep(id, records));
  }

  @Override
  public Records decode(ObjectNode kept) {
    return store.decode(kept);
  }

  @Override
  public void forget(ObjectNode kept) {
    try {
      store.forget(store.decode(kept));
    } catch (S3Exception away) {
      // The object stays; its workflow does not need it any more.
      log.debug("{} is not cleared away: {}", kept, away.getMessage());
    }
  }
}
