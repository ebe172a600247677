package io.tidemill.worker.ai;

import io.tidemill.llm.LanguageModel;
import io.tidemill.worker.JobHandler;
import java.util.List;

/// The handlers of every task that needs a language model.
public final class AiHandlers {
  private AiHandlers() {}

  /// `chat`, `plan` and `code`.
  public static List<JobHandler> of(LanguageModel model) {
    return List.of(new ChatHandler(model), new PlanHandler(model), new CodeHandler(model));
  }
}
