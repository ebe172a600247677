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

/// One job's talk with the model: its followers see every piece as it comes, and what is void when
/// an answer begins anew (C3.12, F33).
///
/// A model that gives no answer ends the job as `error`, with the reason: the tries are bounded in
/// [LanguageModel], and deliveries are for workers that die.
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

  /// Asks, and waits for the whole answer; may be called again for a better one, in what is left of
  /// `llm.timeout`.
  public Completion ask(Prompt prompt) throws JobFailure, InterruptedException {
    try {
      var followers = new Followers(tries);
      var answer = model.ask(prompt, left, followers);
      left = left.minusNanos(System.nanoTime() - followers.beganNanos);
      tries += answer.tries();
      usage = Usage.sum(usage, answer.usage());
      return answer;
    } catch (LlmException failed) {
      throw new JobFailure(failed.kind().name(), failed.getMessage());
    }
  }

  /// What every result tells of its answer: `model`, `finish_reason`, `truncated`, `usage` and
  /// `tries`, of all that was asked.
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
    private long beganNanos = System.nanoTime();

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
      beganNanos = System.nanoTime();
    }
  }
}
