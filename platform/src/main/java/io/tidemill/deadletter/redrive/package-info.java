/// All dead letters together, and redrives and discards of many of them, which survive the process
/// that began them.
@NullMarked
package io.tidemill.deadletter.redrive;

import org.jspecify.annotations.NullMarked;
