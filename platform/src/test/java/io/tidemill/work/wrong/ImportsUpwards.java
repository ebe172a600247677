package io.tidemill.work.wrong;

import io.tidemill.http.Response;

/// Breaks rule 1: ground that knows machinery.
public record ImportsUpwards(Response response) {}
