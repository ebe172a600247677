package io.tidemill.content.protocol;

/// One event of an event stream.
///
/// @param type `message` when the stream names none
/// @param lastEventId the latest id up to here, empty when there was none
public record SseEvent(String type, String data, String lastEventId) {}
