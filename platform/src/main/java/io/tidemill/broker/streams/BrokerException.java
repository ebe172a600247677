package io.tidemill.broker.streams;

/// The stream could not be read; what was delivered stays delivered, nothing is settled.
public final class BrokerException extends RuntimeException {
  BrokerException(String message, Throwable cause) {
    super(message, cause);
  }
}
