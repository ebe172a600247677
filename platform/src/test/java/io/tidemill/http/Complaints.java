package io.tidemill.http;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.slf4j.LoggerFactory;

/// Collects what is logged as a warning or worse, by us and by Helidon, until closed.
final class Complaints implements AutoCloseable {
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Logger ours = (Logger) LoggerFactory.getLogger("io.tidemill");
  private final java.util.logging.Logger helidons =
      java.util.logging.Logger.getLogger("io.helidon");
  private final Ours appender = new Ours();
  private final Helidons handler = new Helidons();

  Complaints() {
    appender.setContext(ours.getLoggerContext());
    appender.start();
    ours.addAppender(appender);
    helidons.addHandler(handler);
  }

  List<String> messages() {
    return messages;
  }

  @Override
  public void close() {
    ours.detachAppender(appender);
    helidons.removeHandler(handler);
  }

  private final class Ours extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.WARN)) messages.add(event.getFormattedMessage());
    }
  }

  private final class Helidons extends Handler {
    @Override
    public void publish(LogRecord entry) {
      if (entry.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue()) {
        messages.add(entry.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
