package io.tidemill.worker.ai;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.JobHandler;
import io.tidemill.llm.Completion;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.Prompt.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The task `plan`: `{"goal":…,"context":…}` in, a workflow out that `POST /api/workflows` takes as
/// it is (C3.11). After an invalid answer the model is asked once more, with the reason.
public final class PlanHandler implements JobHandler {
  private static final Set<String> FIELDS =
      Set.of("goal", "context", "steps", "model", "temperature", "max_tokens");

  private final LanguageModel model;

  public PlanHandler(LanguageModel model) {
    this.model = model;
  }

  @Override
  public String task() {
    return "plan";
  }

  @Override
  public JsonNode handle(JobCall job) throws Exception {
    var payload = new PayloadReader(job.payload()).only(FIELDS);
    var steps = steps(payload);
    var check = new PlanCheck(steps.keySet());
    var prompt = payload.prompt(messages(payload, steps));
    var conversation = new Conversation(model, job);

    var answer = conversation.ask(prompt);
    try {
      return result(conversation, answer, check);
    } catch (PlanCheck.Invalid invalid) {
      var why = why(answer, invalid);
      job.log("the plan can't be used, and is asked for once more: " + why);
      var better = conversation.ask(prompt.then(answer.text(), PlanPrompt.again(why)));
      try {
        return result(conversation, better, check);
      } catch (PlanCheck.Invalid stillInvalid) {
        throw new JobFailure("INVALID_PLAN", "the model's plan: " + why(better, stillInvalid));
      }
    }
  }

  private static ObjectNode result(Conversation conversation, Completion answer, PlanCheck check)
      throws PlanCheck.Invalid {
    var workflow = check.workflow(answer.text());
    var result = conversation.describe(answer);
    result.set("workflow", workflow);
    return result;
  }

  private static String why(Completion answer, PlanCheck.Invalid invalid) {
    var cut = answer.isTruncated() ? " (the answer was cut at its most tokens)" : "";
    return invalid.getMessage() + cut;
  }

  // Steps of plugins.
  private static Map<String, String> steps(PayloadReader payload) throws JobFailure {
    var steps = new TreeMap<String, String>();
    if (!payload.has("steps")) return steps;
    var given = payload.object("steps");
    for (var name : given.names()) steps.put(name, given.text(name));
    return steps;
  }

  private static List<Message> messages(PayloadReader payload, Map<String, String> steps)
      throws JobFailure {
    var messages = new ArrayList<Message>();
    messages.add(new Message("system", PlanPrompt.system(steps)));
    var goal = payload.text("goal");
    var context = payload.optionalText("context");
    messages.add(new Message("user", PlanPrompt.user(goal, context)));
    return messages;
  }
}
