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

/// Records from wherever inputs name them; between two steps they lie on a shelf.
record InputStepRecords(InputSources inputs, RecordStore shelf) implements StepRecords {
  private static final Logger log = LoggerFactory.getLogger(InputStepRecords.class);

  @Override
  public Records input(ObjectNode input) throws WorkFailure {
    return inputs.of(input);
  }

  @Override
  public RecordWriter writer(String id) {
    return shelf.writer(id);
  }

  @Override
  public ObjectNode encode(String id, Records records) throws IOException {
    return shelf.encode(shelf.keep(id, records));
  }

  @Override
  public Records decode(ObjectNode kept) {
    return shelf.decode(kept);
  }

  @Override
  public void forget(ObjectNode kept) {
    try {
      shelf.forget(shelf.decode(kept));
    } catch (S3Exception away) {
      // It stays there, and nobody asks for it again.
      log.debug("{} is not cleared away: {}", kept, away.getMessage());
    }
  }
}
