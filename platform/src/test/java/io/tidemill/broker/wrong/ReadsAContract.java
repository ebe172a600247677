package io.tidemill.broker.wrong;

import io.tidemill.contract.job.JobEntry;

/// Breaks rule 4.
public record ReadsAContract(JobEntry entry) {}
