package io.tidemill.work.wrong;

import io.tidemill.http.Response;

/// Base that knows a transport.
public record ImportsUpwards(Response response) {}
