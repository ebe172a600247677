/// Contract C3: jobs over Redis Streams.
///
/// Written by the gateway (hash, `queued` event, queue entry) and by workers (state, events). Read
/// by workers (queue entry) and by the gateway (hash, events). Settled when the job hash is
/// terminal, the terminal event is appended, and only then the queue entry is acknowledged (C3.7).
@NullMarked
package io.tidemill.contract.job;

import org.jspecify.annotations.NullMarked;
