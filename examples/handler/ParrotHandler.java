import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.JobHandler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Answers `chat` jobs with their own prompt, word by word.
public final class ParrotHandler implements JobHandler {
  @Override
  public String task() {
    return "chat";
  }

  @Override
  public JsonNode handle(JobCall job) throws Exception {
    var prompt = job.payload().path("prompt").asString("");
    if (prompt.isBlank()) throw new JobFailure("BAD_PAYLOAD", "payload.prompt must be text");
    for (var word : prompt.split(" ")) {
      Thread.sleep(200); // interrupted when the job is canceled
      job.token(word + " ");
    }
    return JsonNodeFactory.instance.objectNode().put("text", prompt);
  }
}
