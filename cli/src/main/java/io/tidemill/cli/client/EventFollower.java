package io.tidemill.cli.client;

import io.tidemill.cli.terminal.Terminal;
import io.tidemill.content.protocol.SseEvent;
import io.tidemill.json.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Shows events as they come, up to the terminal one; Ctrl-C leaves what is followed running.
public final class EventFollower implements EventStreamClient.Listener {
  /// Where a person sees the events.
  public interface View {
    /// One event as the gateway sends it: `{"id","type","ts","step","data"}`.
    void print(JsonNode event);

    /// Leaves the cursor at the start of a line.
    void end();
  }

  private final Terminal terminal;
  private final boolean json;
  private final View view;
  private final Predicate<String> isTerminal;
  private @Nullable String ended;

  /// @param json whether a script reads along: then one event a line, untouched
  /// @param isTerminal whether an event of this type is the last
  public EventFollower(Terminal terminal, boolean json, View view, Predicate<String> isTerminal) {
    this.terminal = terminal;
    this.json = json;
    this.view = view;
    this.isTerminal = isTerminal;
  }

  /// Follows to the end.
  ///
  /// @param advice the hint for a user who stops following
  /// @return the type of the terminal event; empty when the stream ended without one
  public Optional<String> follow(GatewayClient gateway, String path, String advice) {
    // Ctrl-C ends the process, and what is followed goes on: say so.
    var hook = new Thread(() -> terminal.note(advice), "advice");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      gateway.events(path, this).follow();
    } finally {
      view.end();
      forget(hook);
    }
    return Optional.ofNullable(ended);
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyStopping) {
      // It runs right now.
    }
  }

  @Override
  public boolean event(SseEvent event) {
    if (event.type().equals("hello")) return true;
    JsonNode tree;
    try {
      tree = Json.parse(event.data());
    } catch (JacksonException notOurs) {
      return true;
    }
    if (json) terminal.json(tree);
    else view.print(tree);
    if (isTerminal.test(event.type())) ended = event.type();
    return ended == null;
  }

  @Override
  public void broken(Duration wait) {
    view.end();
    terminal.error(
        "the connection broke; next try in " + Math.ceilDiv(wait.toMillis(), 1000) + " s");
  }
}
