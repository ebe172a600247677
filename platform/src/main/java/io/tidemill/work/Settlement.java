package io.tidemill.work;

import java.time.Duration;

/// What a broker is told of a delivery, whichever broker it is.
///
/// A pause of zero leaves its length to the consumer, which lets it grow from failure to failure.
public sealed interface Settlement {
  /// All is done: the broker may forget it.
  Settlement DONE = new Done();

  /// All is done: it never comes again, unless the broker does not hear of it.
  record Done() implements Settlement {}

  /// It failed for a reason of its own; another attempt may work. Counted: after too many of them
  /// it goes to the dead letters.
  record Retry(Duration after, String why) implements Settlement {
    public Retry(String why) {
      this(Duration.ZERO, why);
    }
  }

  /// Something else is not there, say a store: tried again for as long as it takes. Not counted as
  /// an attempt, neither here nor by way of what the broker counts; only a consumer that sees
  /// others get through meanwhile may find that the reason is the delivery's own after all.
  record Defer(Duration after, String why) implements Settlement {
    public Defer(String why) {
      this(Duration.ZERO, why);
    }
  }

  /// No attempt can ever work: a copy goes to the dead letters, with its bytes and headers.
  record DeadLetter(String why) implements Settlement {}
}
