package io.tidemill.gateway.file;

import io.tidemill.s3.ObjectAddress;

/// A file that a task or a step left, as its result names it.
///
/// @param step the step's place in its workflow, from 0; -1 for a task
/// @param field of the result
public record ResultFile(int step, String field, ObjectAddress address) {
  String name() {
    return address.name();
  }
}
