package io.tidemill.worker.ai;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.JobHandler;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.Prompt.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The task `chat`: `{"messages":[{"role","content"}…]}` or `{"prompt":…,"system":…}` in, the
/// answer out (C3.11). Other programs say `text` for `prompt`.
public final class ChatHandler implements JobHandler {
  private static final Set<String> FIELDS =
      Set.of("messages", "prompt", "text", "system", "model", "temperature", "max_tokens");
  private static final Set<String> MESSAGE = Set.of("role", "content");
  private static final List<String> ROLES = List.of("system", "user", "assistant");

  private final LanguageModel model;

  public ChatHandler(LanguageModel model) {
    this.model = model;
  }

  @Override
  public String task() {
    return "chat";
  }

  @Override
  public JsonNode handle(JobCall job) throws Exception {
    var payload = new PayloadReader(job.payload()).only(FIELDS);
    var prompt = payload.prompt(messages(payload));
    var conversation = new Conversation(model, job);
    var answer = conversation.ask(prompt);
    return conversation.describe(answer).put("text", answer.text());
  }

  private static List<Message> messages(PayloadReader payload) throws JobFailure {
    var messages = new ArrayList<Message>();
    var system = payload.optionalText("system");
    if (system != null) messages.add(new Message("system", system));
    var prompt = payload.has("prompt") ? "prompt" : "text";
    var isTwice = prompt.equals("prompt") && payload.has("text");
    if (payload.has("messages") == payload.has(prompt) || isTwice) {
      throw PayloadReader.bad("payload must have either messages or prompt");
    }
    if (payload.has(prompt)) messages.add(new Message("user", payload.text(prompt)));
    else for (var message : payload.objects("messages")) messages.add(message(message));
    return messages;
  }

  private static Message message(PayloadReader message) throws JobFailure {
    var role = message.only(MESSAGE).text("role");
    if (!ROLES.contains(role)) throw message.wrong("role", "be one of " + String.join(", ", ROLES));
    return new Message(role, message.anyText("content"));
  }
}
