/// Contract C2: workflows and tasks over Kafka, written by the gateway, run by the processor.
@NullMarked
package io.tidemill.contract.flow;

import org.jspecify.annotations.NullMarked;
