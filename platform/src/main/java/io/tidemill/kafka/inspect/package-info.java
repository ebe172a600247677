/// Inspects topics and consumer groups without joining a group or committing offsets.
@NullMarked
package io.tidemill.kafka.inspect;

import org.jspecify.annotations.NullMarked;
