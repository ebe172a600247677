package io.tidemill.analytics;

/// An item that could not be collected or parsed.
///
/// @param position in its batch, from 0
/// @param id empty when it has none
/// @param code such as `CONTENT_REMOVED`
/// @param category of the code, such as `content`
public record ItemFailure(
    String projectId,
    String platform,
    int position,
    String id,
    String url,
    String code,
    String category,
    String message) {}
