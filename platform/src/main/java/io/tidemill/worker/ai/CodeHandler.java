package io.tidemill.worker.ai;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.JobHandler;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.Prompt.Message;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The task `code`: `{"task":…,"language":…,"files":[…]}` in, files with names and languages out,
/// and the model's comment on them (C3.11).
public final class CodeHandler implements JobHandler {
  private static final Set<String> FIELDS =
      Set.of("task", "prompt", "language", "files", "model", "temperature", "max_tokens");
  private static final Pattern BACKTICKS = Pattern.compile("`+");
  private static final Set<String> FILE = Set.of("name", "language", "content");

  private static final String SYSTEM =
      """
      You write code. Write every file whole, in a fenced block of its own whose first line names the
      language and the file, such as:

      ```python src/app.py
      print("hello")
      ```

      Names are relative, with / between folders. When a file holds a fence itself, use a longer one around
      it. Outside the blocks, say in a few sentences what matters about the code.
      """;

  private final LanguageModel model;

  public CodeHandler(LanguageModel model) {
    this.model = model;
  }

  @Override
  public String task() {
    return "code";
  }

  @Override
  public JsonNode handle(JobCall job) throws Exception {
    var payload = new PayloadReader(job.payload()).only(FIELDS);
    var language = payload.optionalText("language");
    var prompt =
        payload.prompt(
            List.of(
                new Message("system", SYSTEM), new Message("user", request(payload, language))));
    var conversation = new Conversation(model, job);

    var answer = conversation.ask(prompt);
    var code = CodeFiles.read(answer.text(), language == null ? "text" : language);
    var result = conversation.describe(answer).put("text", code.text());
    var files = result.putArray("files");
    for (var file : code.files()) {
      files
          .addObject()
          .put("name", file.name())
          .put("language", file.language())
          .put("content", file.content());
    }
    return result;
  }

  private static String request(PayloadReader payload, @Nullable String language)
      throws JobFailure {
    if (payload.has("task") == payload.has("prompt")) {
      throw PayloadReader.bad("payload must have either task or prompt");
    }
    var request = new StringBuilder(payload.text(payload.has("task") ? "task" : "prompt"));
    if (language != null) request.append("\n\nLanguage: ").append(language);
    if (!payload.has("files")) return request.toString();
    request.append("\n\nThese files are there:");
    for (var file : payload.objects("files")) {
      var name = file.only(FILE).text("name");
      var content = file.anyText("content");
      var spoken = file.optionalText("language");
      request.append("\n\n").append(fenced(spoken == null ? "" : spoken, name, content));
    }
    return request.toString();
  }

  private static String fenced(String language, String name, String content) {
    var longest =
        BACKTICKS.matcher(content).results().mapToInt(run -> run.group().length()).max().orElse(0);
    var fence = "`".repeat(Math.max(3, longest + 1));
    var end = content.endsWith("\n") ? "" : "\n";
    return "%s%s\n%s%s%s".formatted(fence, (language + " " + name).strip(), content, end, fence);
  }
}
