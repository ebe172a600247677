/// Events of workflows and tasks on their way out: contract C2 joined to Kafka, for whichever role
/// publishes them.
@NullMarked
package io.tidemill.flow;

import org.jspecify.annotations.NullMarked;
