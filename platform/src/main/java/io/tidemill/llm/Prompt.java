package io.tidemill.llm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages and options of a request to a model.
///
/// @param model null = `llm.model`
/// @param temperature null = `llm.temperature`
/// @param maxTokens null = `llm.max-tokens`
public record Prompt(
    List<Message> messages,
    @Nullable String model,
    @Nullable Double temperature,
    @Nullable Integer maxTokens) {
  /// One message of a conversation.
  ///
  /// @param role `system`, `user` or `assistant`
  public record Message(String role, String content) {}

  public Prompt {
    messages = List.copyOf(messages);
  }

  /// A system message and a user message.
  public static Prompt of(String system, String user) {
    return new Prompt(
        List.of(new Message("system", system), new Message("user", user)), null, null, null);
  }

  /// The same conversation with the model's answer and a further message.
  public Prompt then(String answer, String user) {
    var more = new ArrayList<>(messages);
    more.add(new Message("assistant", answer));
    more.add(new Message("user", user));
    return new Prompt(more, model, temperature, maxTokens);
  }
}
