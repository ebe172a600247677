package io.tidemill.processor.export;

import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import java.io.IOException;
import java.nio.file.Path;

/// Writes records into a file of one format, one record at a time.
interface FormatWriter {
  /// @return how many records are in the file
  long write(Records records, Path file) throws IOException, InterruptedException, WorkFailure;
}
