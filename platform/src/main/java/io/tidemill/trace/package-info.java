/// Spans of recent traces, and the newest message of each kind that passed by.
@NullMarked
package io.tidemill.trace;

import org.jspecify.annotations.NullMarked;
