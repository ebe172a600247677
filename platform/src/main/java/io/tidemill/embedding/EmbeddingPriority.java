package io.tidemill.embedding;

/// Whose texts are computed first.
public enum EmbeddingPriority {
  /// Somebody searches.
  QUESTION,
  /// Somebody waits for an answer.
  ANSWER,
  /// Texts of a job, which may be many.
  JOB,
  /// Pages, which nobody waits for.
  PAGE
}
