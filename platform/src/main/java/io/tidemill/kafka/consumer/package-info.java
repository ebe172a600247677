/// A consumer that works off the records of one key in order and those of different keys at the
/// same time, and commits what is finished without a gap.
@NullMarked
package io.tidemill.kafka.consumer;

import org.jspecify.annotations.NullMarked;
