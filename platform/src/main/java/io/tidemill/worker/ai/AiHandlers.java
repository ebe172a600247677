package io.tidemill.worker.ai;

import io.tidemill.api.JobHandler;
import io.tidemill.embedding.Embedder;
import io.tidemill.llm.LanguageModel;
import io.tidemill.search.query.PageSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The handlers of the tasks that need a language model or an embedding model.
public final class AiHandlers {
  private AiHandlers() {}

  /// `chat`, `plan` and `code`.
  public static List<JobHandler> of(LanguageModel model) {
    return List.of(new ChatHandler(model), new PlanHandler(model), new CodeHandler(model));
  }

  /// The same with `embed` and `rag`.
  ///
  /// @param pages opened by the first question
  /// @param maxResult the largest result that a job may have, in bytes
  public static List<JobHandler> of(
      LanguageModel model,
      Embedder embedder,
      Supplier<PageSearch> pages,
      RagConfig rag,
      long maxResult) {
    var all = new ArrayList<>(of(model));
    all.add(new EmbedHandler(embedder, maxResult));
    all.add(new RagHandler(pages, embedder, model, rag));
    return all;
  }
}
