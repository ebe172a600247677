package io.tidemill.worker.ai;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.json.Json;
import io.tidemill.llm.Completion;
import io.tidemill.llm.Completion.Usage;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.LlmException;
import io.tidemill.llm.Prompt;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The conversation of one job with the model: followers see every piece as it comes, and which are
/// void when an answer is restarted (C3.12, F33).
///
/// A model that gives no answer ends the job as `error`: [LanguageModel] bounds the tries,
/// deliveries count only workers that die.
public final class Conversation {
  private final LanguageModel model;
  private final JobCall job;
  private Duration left;
  private int tries;
  private @Nullable Usage usage;

  public Conversation(LanguageModel model, JobCall job) {
    this.model = model;
    this.job = job;
    left = model.timeout();
  }

  /// Asks, and waits for the whole answer; all calls together have `llm.timeout`.
  public Completion ask(Prompt prompt) throws JobFailure, InterruptedException {
    try {
      var followers = new Followers(tries);
      var answer = model.ask(prompt, left, followers);
      left = left.minusNanos(System.nanoTime() - followers.startedNanos);
      tries += answer.tries();
      usage = Usage.sum(usage, answer.usage());
      return answer;
    } catch (LlmException failed) {
      throw new JobFailure(failed.kind().name(), failed.getMessage());
    }
  }

  /// The fields that every result has: `model`, `finish_reason`, `truncated`, and of all calls
  /// `usage` and `tries`.
  public ObjectNode describe(Completion last) {
    var result =
        Json.object()
            .put("model", last.model())
            .put("finish_reason", last.finishReason())
            .put("truncated", last.isTruncated())
            .put("tries", tries);
    if (usage == null) return result.putNull("usage");
    result
        .putObject("usage")
        .put("prompt_tokens", usage.prompt())
        .put("completion_tokens", usage.completion())
        .put("total_tokens", usage.total());
    return result;
  }

  private final class Followers implements LanguageModel.Listener {
    private final int before;
    private long startedNanos = System.nanoTime();

    /// @param before tries of earlier answers
    Followers(int before) {
      this.before = before;
    }

    @Override
    public void token(String text, int take) {
      job.token(text, before + take);
    }

    @Override
    public void note(String message) {
      job.log(message);
    }

    @Override
    public void waits() {
      job.waits();
    }

    @Override
    public void resumes() {
      job.resumes();
      startedNanos = System.nanoTime();
    }
  }
}
