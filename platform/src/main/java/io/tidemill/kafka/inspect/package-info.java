/// Looks into topics and groups without joining or committing anything.
@NullMarked
package io.tidemill.kafka.inspect;

import org.jspecify.annotations.NullMarked;
