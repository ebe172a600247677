package io.tidemill.kafka.wrong;

import io.tidemill.contract.job.JobEntry;

/// A transport that knows what it carries.
public record ReadsAContract(JobEntry entry) {}
