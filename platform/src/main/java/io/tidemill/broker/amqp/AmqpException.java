package io.tidemill.broker.amqp;

/// The AMQP broker did not let us in.
public final class AmqpException extends RuntimeException {
  AmqpException(String message, Throwable cause) {
    super(message, cause);
  }
}
