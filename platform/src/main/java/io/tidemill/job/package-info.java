/// Jobs (C3): submitted, queued by fair share, leased, ended; what workers and gateways write and
/// read of them.
@NullMarked
package io.tidemill.job;

import org.jspecify.annotations.NullMarked;
