package io.tidemill.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The AMQP broker did not let us in, or did not take a message.
public final class AmqpException extends RuntimeException {
  /// What may be done about it.
  enum Kind {
    /// Another try may succeed; whether the broker has the message may be unknown.
    TRANSIENT,
    /// No queue takes what is published there (F35).
    UNROUTABLE,
    /// This message can never be published.
    IMPOSSIBLE
  }

  private final Kind kind;

  public AmqpException(String message, @Nullable Throwable cause) {
    this(Kind.TRANSIENT, message, cause);
  }

  AmqpException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /// Whether the broker said that no queue takes the message: somebody deleted a queue or binding.
  public boolean isUnroutable() {
    return kind == Kind.UNROUTABLE;
  }

  /// Whether the same message may be published again with another result.
  public boolean isTransient() {
    return kind == Kind.TRANSIENT;
  }

  /// Whether the broker named this exchange as the reason; AMQP has no field for it.
  boolean names(String exchange) {
    return !exchange.isEmpty() && String.valueOf(getMessage()).contains(exchange);
  }

  /// Whether the broker replied that a queue or an exchange does not exist.
  public static boolean isMissing(Exception refused) {
    return refused.getCause() instanceof ShutdownSignalException signal
        && signal.getReason() instanceof AMQP.Channel.Close close
        && close.getReplyCode() == AMQP.NOT_FOUND;
  }

  /// What there is to say about a failure: the client often hides it below an empty exception.
  public static String describe(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      var message = at.getMessage();
      if (message != null && !Objects.equals(message, String.valueOf(at.getCause()))) {
        return message;
      }
    }
    return failure.getClass().getSimpleName();
  }
}
