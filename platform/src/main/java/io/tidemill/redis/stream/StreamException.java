package io.tidemill.redis.stream;

/// The stream could not be read; what was delivered stays delivered, nothing is settled.
public final class StreamException extends RuntimeException {
  StreamException(String message, Throwable cause) {
    super(message, cause);
  }
}
