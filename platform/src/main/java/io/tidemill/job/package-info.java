/// Jobs (C3): submission, queue with fair share, leases, settlement; the stores of gateways and
/// workers.
@NullMarked
package io.tidemill.job;

import org.jspecify.annotations.NullMarked;
