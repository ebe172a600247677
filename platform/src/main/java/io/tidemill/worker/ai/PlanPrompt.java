package io.tidemill.worker.ai;

import io.tidemill.contract.workflow.StepForm;
import io.tidemill.contract.workflow.StepForms;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The messages that ask a model for a workflow.
final class PlanPrompt {
  private PlanPrompt() {}

  /// @param others steps beside ours: name and what it does
  static String system(Map<String, String> others) {
    var ours = StepForms.ALL.stream().map(PlanPrompt::line).collect(Collectors.joining());
    var theirs =
        others.entrySet().stream()
            .map(step -> "- %s: %s\n".formatted(step.getKey(), step.getValue()))
            .collect(Collectors.joining());
    return """
    You plan workflows. Answer with one JSON object and nothing else: no explanation, no comments.

    {"name": "3 to 100 characters", "priority": "low, medium or high",
     "steps": ["names of steps, in order"],
     "input": {"records": [], "<name of a step>": {"<option>": "<value>"}}}

    Each step reads the records that the step before it left. The first one reads what `input` names:
    "records" (a list of JSON objects), "object" ("s3://bucket/key"), "crawl" (the id of a crawl that has
    ended), "search" (a query of the search index, with "limit"), or nothing when it makes records itself.
    The options of a step stand in `input` under its name; if a step comes twice, under its place and name,
    counted from 0, such as "2.transform". "timeout" ("10m") is an option of every step. Use no other
    names than these:

    %s
    Example:
    {"name": "Index the docs", "priority": "medium", "steps": ["crawl", "index", "export"],
     "input": {"crawl": {"url": "https://example.org/docs/", "maxPages": 50}, "export": {"format": "csv"}}}
    """
        .formatted(ours + theirs);
  }

  private static String line(StepForm form) {
    var options =
        form.options().entrySet().stream()
            .map(option -> "  - %s: %s\n".formatted(option.getKey(), option.getValue()))
            .collect(Collectors.joining());
    return "- %s: %s\n".formatted(form.name(), form.does()) + options;
  }

  static String user(String goal, @Nullable String context) {
    return context == null ? "Goal: " + goal : "Goal: %s\n\nContext:\n%s".formatted(goal, context);
  }

  /// The message after an invalid answer.
  static String again(String why) {
    return "That can't be used: %s. Answer again with the whole corrected JSON object and nothing else."
        .formatted(why);
  }
}
