package io.tidemill.http;

/// Handles a request; runs on a virtual thread and may block.
@FunctionalInterface
public interface Handler {
  Response handle(Request request) throws Exception;
}
