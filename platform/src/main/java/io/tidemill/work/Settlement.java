package io.tidemill.work;

import java.time.Duration;

/// What a consumer tells its broker about a delivery, the same for every broker.
///
/// A pause of zero leaves its length to the consumer, which increases it with every failure.
public sealed interface Settlement {
  Settlement DONE = new Done();

  /// Why it is not done; empty when it is.
  String why();

  /// The delivery is handled: it is never delivered again, unless the broker misses the settlement.
  record Done() implements Settlement {
    @Override
    public String why() {
      return "";
    }
  }

  /// The delivery failed for a reason of its own; another attempt may work. Counts as an attempt:
  /// after too many of them the delivery goes to the dead letters.
  record Retry(Duration after, String why) implements Settlement {
    public Retry(String why) {
      this(Duration.ZERO, why);
    }
  }

  /// Something else is not available, such as a store: the delivery is retried for as long as it
  /// takes. Never counts as an attempt, neither here nor in what the broker counts. A consumer that
  /// sees others succeed meanwhile may conclude that the reason is the delivery's own after all.
  record Defer(Duration after, String why) implements Settlement {
    public Defer(String why) {
      this(Duration.ZERO, why);
    }
  }

  /// No attempt can ever work: a copy goes to the dead letters, with its bytes and headers.
  record DeadLetter(String why) implements Settlement {}
}
