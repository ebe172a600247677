package io.tidemill.gateway.wrong;

import io.tidemill.http.Response;

/// Something that is no route, and yet speaks HTTP.
public record AnswersWithAResponse(Response answer) {}
