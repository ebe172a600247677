/// Dead letters of every contract: what could not be processed, grouped by cause, looked at,
/// mended, sent again or discarded.
@NullMarked
package io.tidemill.deadletter;

import org.jspecify.annotations.NullMarked;
