package io.tidemill.gateway.wrong;

import io.tidemill.worker.JobHandler;

/// Breaks rule 2.
public record KnowsAnotherRole(JobHandler handler) {}
