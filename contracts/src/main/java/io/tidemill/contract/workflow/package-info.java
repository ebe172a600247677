/// Contract C2: workflows and tasks over Kafka.
///
/// Written by the gateway (`created`) and by the processor (everything else), read by the processor
/// in the group `workflow-processors`. A record is settled when what it asks for is in the store:
/// from then on the workflow or task is the store's, whoever runs it.
@NullMarked
package io.tidemill.contract.workflow;

import org.jspecify.annotations.NullMarked;
