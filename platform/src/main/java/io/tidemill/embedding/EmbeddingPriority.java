package io.tidemill.embedding;

/// Which texts are computed first.
public enum EmbeddingPriority {
  /// A search.
  QUESTION,
  /// A user waits for an answer.
  ANSWER,
  /// Texts of a job, which may be many.
  JOB,
  /// Pages to index.
  PAGE
}
