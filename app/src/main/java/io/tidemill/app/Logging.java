package io.tidemill.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import java.util.Map;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/// Logs go to standard error: one JSON object a line, or for people when a terminal reads.
///
/// In code, not in XML: it is set up before anything else, and costs the start no parsing.
public final class Logging extends ContextAwareBase implements Configurator {
  private static final String PRETTY =
      "%d{HH:mm:ss.SSS} %highlight(%-5level) %msg%replace( %kvp{NONE}){'^ $',''}%replace( %mdc){'^ $',''}%n%nopex";

  // Messages of the embedded servers that need no action.
  private static final Map<String, Level> QUIET =
      Map.ofEntries(
          Map.entry("kafka.server.ControllerApis", Level.OFF),
          Map.entry("org.apache.qpid.server.SystemLauncher", Level.OFF),
          Map.entry("org.apache.kafka.controller.QuorumController", Level.ERROR),
          Map.entry("org.apache.kafka.clients.NetworkClient", Level.ERROR),
          Map.entry("org.apache.lucene.internal.vectorization", Level.ERROR),
          Map.entry("qpid.message", Level.WARN),
          Map.entry("io.helidon", Level.WARN),
          Map.entry("io.helidon.webserver.LoomServer", Level.OFF), // what it can't do, it throws
          Map.entry("com.rabbitmq", Level.ERROR));

  // A line for each event (C2.11): what programs read, and people do not.
  private static final List<String> CHATTY =
      List.of(
          "io.tidemill.workflow.ExecutionPublisher", "io.tidemill.processor.ExecutionProcessor");

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    apply(context, new LogConfig(LogConfig.Format.AUTO, LogConfig.Level.WARN));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /// Applies the settings to all logging of this process.
  static void apply(LogConfig config) {
    apply((LoggerContext) LoggerFactory.getILoggerFactory(), config);
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  private static void apply(LoggerContext context, LogConfig config) {
    context.reset();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    var pretty = isPretty(config.format());
    root.addAppender(appender(context, encoder(context, pretty)));
    QUIET.forEach((name, level) -> context.getLogger(name).setLevel(level));
    context.getLogger("io.tidemill").setLevel(Level.toLevel(config.level().name()));
    if (pretty && config.level() == LogConfig.Level.INFO) {
      CHATTY.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
    }
  }

  private static boolean isPretty(LogConfig.Format format) {
    return switch (format) {
      case PRETTY -> true;
      case JSON -> false;
      case AUTO -> AttachedTerminal.isInteractive();
    };
  }

  private static ConsoleAppender<ILoggingEvent> appender(
      LoggerContext context, Encoder<ILoggingEvent> encoder) {
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  private static Encoder<ILoggingEvent> encoder(LoggerContext context, boolean pretty) {
    if (pretty) {
      var encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern(PRETTY);
      encoder.start();
      return encoder;
    }
    var encoder = new LogstashEncoder();
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }
}
