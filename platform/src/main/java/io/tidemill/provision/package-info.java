/// Topics and queues of all contracts, created on the brokers.
@NullMarked
package io.tidemill.provision;

import org.jspecify.annotations.NullMarked;
