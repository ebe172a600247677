package io.tidemill.gateway.wrong;

import io.tidemill.http.Response;
import io.tidemill.worker.JobWorker;

/// A role that knows another one, and passes responses around without being a route.
public record KnowsAnotherRole(JobWorker worker, Response response) {}
